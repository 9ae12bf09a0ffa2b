#!/bin/sh
# Stands for GitHub's gh: the options, output and exit codes that its manual documents for these commands.
state=$(dirname "$0")/state
mkdir -p "$state"
{ for each; do printf '%s\n' "$each"; done; printf 'cwd=%s\n--\n' "$(ls -A | tr '\n' ' ')"; } >> "$state/calls"
if [ -e "$state/signed-out" ]; then
  echo 'To get started with GitHub CLI, please run:  gh auth login' >&2
  exit 4
fi
case "$1 $2" in
'pr create')
  cat > "$state/body"
  for each; do
    case $each in
    pr | create | --repo=* | --head=* | --base=* | --title=* | --body-file=- | --draft) ;;
    *) echo "unknown flag: $each" >&2; exit 1 ;;
    esac
    case $each in --head=*) printf '%s' "${each#--head=}" > "$state/head" ;; esac
  done
  echo 'https://github.example/team/shop/pull/7'
  ;;
'pr list')
  [ -e "$state/head" ] || { echo '[]'; exit 0; }
  cat <<'JSON'
[{"number":7,"title":"Fix it","url":"https://github.example/team/shop/pull/7","state":"OPEN","isDraft":false,
"baseRefName":"main","reviewDecision":"CHANGES_REQUESTED",
"statusCheckRollup":[
 {"__typename":"CheckRun","name":"test","status":"COMPLETED","conclusion":"FAILURE","detailsUrl":"https://github.example/run/1"},
 {"__typename":"CheckRun","name":"build","status":"IN_PROGRESS","conclusion":"","detailsUrl":"javascript:alert(1)"},
 {"__typename":"StatusContext","context":"ci/old","state":"SUCCESS","targetUrl":"https://ci.example"}],
"comments":[{"author":{"login":"ben"},"body":"Looks close.","createdAt":"2026-01-02T00:00:00Z","url":"https://github.example/c/1"}],
"reviews":[{"author":{"login":"ana"},"body":"Please rename it.","submittedAt":"2026-01-01T00:00:00Z","state":"CHANGES_REQUESTED"},
 {"author":{"login":"ana"},"body":"","submittedAt":"2026-01-03T00:00:00Z","state":"COMMENTED"}]}]
JSON
  ;;
'api '*)
  cat <<'JSON'
[{"user":{"login":"ana"},"body":"This name says nothing.","path":"a.txt","line":2,"diff_hunk":"@@ -1 +1 @@\n+x","created_at":"2026-01-01T00:00:01Z","html_url":"https://github.example/c/2"}]
JSON
  ;;
*)
  echo "unknown command" >&2
  exit 1
  ;;
esac
