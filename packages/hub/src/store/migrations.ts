/**
 * The migrations of the database: entry n migrates version n to version n + 1 (`PRAGMA
 * user_version`). A released entry is never changed; changes are new entries at the end.
 */
export const migrations: readonly string[] = [
  /* 1: sessions and all that belongs to them, devices, receipts, audit */ `
  CREATE TABLE settings ("key" TEXT PRIMARY KEY, "value" TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO settings VALUES ('store.epoch', lower(hex(randomblob(16))));

  CREATE TABLE sessions (
    "id" TEXT PRIMARY KEY, "folder" TEXT NOT NULL, "title" TEXT NOT NULL, "named" INTEGER NOT NULL,
    "agent" TEXT NOT NULL, "driver" TEXT NOT NULL, "runner" TEXT NOT NULL, "policy" TEXT NOT NULL,
    "bypassUntil" REAL, "pinned" INTEGER NOT NULL, "archived" INTEGER NOT NULL,
    "createdAt" REAL NOT NULL, "options" TEXT NOT NULL, "forkOf" TEXT, "conversation" TEXT,
    "state" TEXT NOT NULL, "problem" TEXT, "run" TEXT
  ) STRICT;

  -- The summary stands before the timeline, which may be long, so that the board need not read past it.
  CREATE TABLE progress (
    "session" TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, "seq" INTEGER NOT NULL,
    "pos" INTEGER NOT NULL, "rev" INTEGER NOT NULL, "summary" TEXT NOT NULL, "timeline" TEXT NOT NULL
  ) STRICT;

  CREATE TABLE blobs ("hash" TEXT PRIMARY KEY, "bytes" BLOB NOT NULL) STRICT;
  -- Who holds a blob; it goes with the last one.
  CREATE TABLE blobHolders (
    "hash" TEXT NOT NULL REFERENCES blobs,
    "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    PRIMARY KEY ("hash", "session")
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blobHoldersBySession ON blobHolders ("session");

  -- What is long is a blob, and its own column is null.
  CREATE TABLE lines (
    "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, "pos" INTEGER NOT NULL,
    "seq" INTEGER, "run" TEXT, "from" TEXT NOT NULL, "at" REAL NOT NULL, "text" TEXT,
    "droppedBytes" INTEGER, "original" BLOB, "textBlob" TEXT, "originalBlob" TEXT,
    PRIMARY KEY ("session", "pos")
  ) STRICT;

  CREATE TABLE items (
    "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, "id" TEXT NOT NULL,
    "order" REAL NOT NULL, "rev" INTEGER NOT NULL, "json" TEXT NOT NULL,
    PRIMARY KEY ("session", "id")
  ) STRICT;
  CREATE INDEX itemsByOrder ON items ("session", "order");
  CREATE INDEX itemsByRev ON items ("session", "rev");

  CREATE TABLE runs (
    "id" TEXT PRIMARY KEY, "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    "runner" TEXT NOT NULL, "startedAt" REAL NOT NULL, "facts" TEXT, "endedAt" REAL, "end" TEXT
  ) STRICT;
  CREATE INDEX runsBySession ON runs ("session");

  CREATE TABLE asks (
    "id" TEXT PRIMARY KEY, "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    "run" TEXT NOT NULL, "requestId" TEXT NOT NULL, "status" TEXT NOT NULL, "openedAt" REAL NOT NULL,
    "json" TEXT NOT NULL
  ) STRICT;
  CREATE INDEX asksBySession ON asks ("session");
  CREATE INDEX asksOpen ON asks ("openedAt") WHERE "status" = 'open';

  CREATE TABLE prompts (
    "id" TEXT PRIMARY KEY, "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    "place" REAL NOT NULL, "text" TEXT NOT NULL, "images" TEXT NOT NULL, "now" INTEGER NOT NULL,
    "sentTo" TEXT, "at" REAL NOT NULL
  ) STRICT;
  CREATE INDEX promptsBySession ON prompts ("session");

  CREATE TABLE orders (
    "id" TEXT PRIMARY KEY, "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    "runner" TEXT NOT NULL, "json" TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ordersBySession ON orders ("session");

  CREATE TABLE receipts (
    "id" TEXT PRIMARY KEY, "device" TEXT NOT NULL, "request" TEXT NOT NULL, "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL, "at" REAL NOT NULL
  ) STRICT;

  CREATE TABLE devices (
    "id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "role" TEXT NOT NULL, "tokenHash" TEXT NOT NULL,
    "createdAt" REAL NOT NULL, "lastSeenAt" REAL, "expiresAt" REAL NOT NULL
  ) STRICT;

  CREATE TABLE audit (
    "nth" INTEGER PRIMARY KEY, "at" REAL NOT NULL, "what" TEXT NOT NULL, "by" TEXT, "session" TEXT,
    "facts" TEXT NOT NULL, "hash" TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'entries of the audit are never changed'); END;
  CREATE TRIGGER auditIsNotCut BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'entries of the audit are never deleted'); END;
  CREATE TRIGGER auditGrowsAtItsEnd BEFORE INSERT ON audit
    WHEN new.nth <> (SELECT coalesce(max(nth), 0) + 1 FROM audit)
    BEGIN SELECT raise(ABORT, 'an entry of the audit comes after the last one'); END;
  `,
  /* 2: how many items a session has is known without counting: a long session opens like a short one */ `
  CREATE TABLE itemCounts (
    "session" TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, "count" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO itemCounts SELECT "session", count(*) FROM items GROUP BY "session";
  CREATE TRIGGER itemsGrow AFTER INSERT ON items BEGIN
    INSERT INTO itemCounts VALUES (new."session", 1)
      ON CONFLICT ("session") DO UPDATE SET "count" = "count" + 1;
  END;
  CREATE TRIGGER itemsShrink AFTER DELETE ON items BEGIN
    UPDATE itemCounts SET "count" = "count" - 1 WHERE "session" = old."session";
  END;
  `,
  /* 3: what a session remembers of its messages, apart from what changes with every line */ `
  CREATE TABLE memories (
    "session" TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, "page" INTEGER NOT NULL,
    "keys" TEXT NOT NULL, PRIMARY KEY ("session", "page")
  ) STRICT;
  `,
  /* 4: a very long line lies in pieces, so that nobody ever has to hold all of it */ `
  CREATE TABLE pieces (
    "of" TEXT NOT NULL, "start" INTEGER NOT NULL, "bytes" BLOB NOT NULL, PRIMARY KEY ("of", "start")
  ) STRICT;
  -- Its blob has no bytes of its own.
  CREATE TABLE longBlobs (
    "hash" TEXT PRIMARY KEY REFERENCES blobs ON DELETE CASCADE, "of" TEXT NOT NULL UNIQUE,
    "size" INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER piecesGo AFTER DELETE ON longBlobs BEGIN
    DELETE FROM pieces WHERE "of" = old."of";
  END;
  ALTER TABLE lines ADD COLUMN "characters" INTEGER;
  `,
  /* 5: the colour that a person chose for a session */ `
  ALTER TABLE sessions ADD COLUMN "colour" TEXT;
  `,
  /* 6: items are counted where it matters: to keep their number cost a seventh of writing them */ `
  DROP TRIGGER itemsGrow;
  DROP TRIGGER itemsShrink;
  DROP TABLE itemCounts;
  `,
  /* 7: a receipt names its session, and its text goes with it (a message has the id of its command) */ `
  ALTER TABLE receipts ADD COLUMN "session" TEXT;
  UPDATE receipts SET "session" = "id" WHERE "id" IN (SELECT "id" FROM sessions);
  UPDATE receipts SET "session" = prompts."session" FROM prompts WHERE prompts."id" = receipts."id";
  UPDATE receipts SET "session" = items."session" FROM items WHERE items."id" = receipts."id";
  UPDATE receipts SET "session" = json_extract("body", '$.session')
    WHERE "session" IS NULL AND json_valid("body") AND json_type("body", '$.session') = 'text';
  UPDATE receipts SET "session" = json_extract("body", '$.id')
    WHERE "session" IS NULL AND json_valid("body")
      AND json_extract("body", '$.id') IN (SELECT "id" FROM sessions);
  CREATE INDEX receiptsBySession ON receipts ("session") WHERE "session" IS NOT NULL;
  `,
  /* 8: devices prove themselves by keys; those of before keep their token until they have one */ `
  ALTER TABLE devices ADD COLUMN "publicKey" TEXT;
  `,
  /* 9: audit entries are signed by the hub; those of before are not */ `
  ALTER TABLE audit ADD COLUMN "signature" TEXT;
  `,
  /* 10: a session's progress is a small head, written with every line, and a checkpoint, written seldom */ `
  CREATE TABLE heads (
    "session" TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, "seq" INTEGER NOT NULL,
    "pos" INTEGER NOT NULL, "rev" INTEGER NOT NULL, "summary" TEXT NOT NULL,
    "checkpoint" INTEGER NOT NULL, "changes" TEXT
  ) STRICT;
  CREATE TABLE checkpoints (
    "session" TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL
  ) STRICT;
  INSERT INTO heads SELECT "session", "seq", "pos", "rev", "summary", 0, NULL FROM progress;
  INSERT INTO checkpoints SELECT "session", 0, "timeline" FROM progress;
  DROP TABLE progress;
  `,
  /* 11: what belongs to the hub's machine says so: a store may be shared with hubs of other machines */ `
  INSERT INTO settings VALUES ('store.machine', lower(hex(randomblob(16))));
  UPDATE settings
    SET "key" = "key" || '.' || (SELECT "value" FROM settings WHERE "key" = 'store.machine')
    WHERE "key" IN ('own-runner', 'relay-runner', 'command-line-device');
  ALTER TABLE pieces ADD COLUMN "machine" TEXT;
  UPDATE pieces SET "machine" = (SELECT "value" FROM settings WHERE "key" = 'store.machine');
  `,
  /* 12: a waiting message proves that the hub has accepted it */ `
  ALTER TABLE prompts ADD COLUMN "seal" TEXT;
  `,
  /* 13: the context that a program attached to a message */ `
  ALTER TABLE prompts ADD COLUMN "context" TEXT;
  `,
  /* 14: which shells are open is stored by runner, so that only the hub of a runner writes its shells */ `
  INSERT INTO settings
    SELECT 'open-shells.' || json_extract(shell."value", '$.runner'),
      json_group_array(json(shell."value"))
    FROM settings AS stored, json_each(stored."value") AS shell
    WHERE stored."key" = 'open-shells' GROUP BY 1;
  DELETE FROM settings WHERE "key" = 'open-shells';
  `,
  /* 15: messages that are being written, so that they can be continued on another device */ `
  CREATE TABLE drafts (
    "name" TEXT PRIMARY KEY, "session" TEXT REFERENCES sessions ON DELETE CASCADE,
    "json" TEXT NOT NULL
  ) STRICT;
  CREATE INDEX draftsBySession ON drafts ("session") WHERE "session" IS NOT NULL;
  `,
  /* 16: labels, sessions that are out of sight for a while, and the trash */ `
  ALTER TABLE sessions ADD COLUMN "labels" TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE sessions ADD COLUMN "snoozedUntil" REAL;
  ALTER TABLE sessions ADD COLUMN "trashedAt" REAL;
  `,
  /* 17: transcripts of Claude Code, whose sessions are listed and copied */ `
  CREATE TABLE transcripts (
    "runner" TEXT NOT NULL, "conversation" TEXT NOT NULL, "session" TEXT, "configFolder" TEXT,
    "project" TEXT, "imported" INTEGER NOT NULL, "title" TEXT, "size" REAL NOT NULL,
    "writtenAt" REAL NOT NULL, "readSize" REAL NOT NULL, "cursor" TEXT, "problems" TEXT,
    "problem" TEXT, "gone" INTEGER NOT NULL, PRIMARY KEY ("runner", "conversation")
  ) STRICT, WITHOUT ROWID;
  INSERT INTO transcripts
    SELECT "runner", "conversation", "id", NULL, NULL, 0, NULL, 0, 0, -1, NULL, NULL, NULL, 0
    FROM sessions WHERE "conversation" IS NOT NULL AND true
    ON CONFLICT DO NOTHING;
  `,
];
