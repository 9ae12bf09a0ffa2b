import { extname } from "node:path";

/** Extensions of files that Read does not show as text, whatever they contain. */
const names =
  "3ds 7z a aac ai aiff apk app avi avif bin blend bmp bz2 class dat data db deb dll dmg doc docx dylib ear eot eps epub exe fig fla flac flv gz heic ico idx iso jar lib lockb lz4 m4a m4v max mdb mkv mov mp3 mp4 mpeg mpg msi node npy npz o obj odp ods odt ogg opus otf parquet pickle ppt pptx psd pyc pyo rar rlib rpm sketch so sqlite sqlite3 swf tar tgz tif tiff ttf war wasm wav webm wma wmv woff woff2 xd xls xlsx xz z zip zst";
const binary = new Set(names.split(" ").map((name) => `.${name}`));

export function binaryProblem(path: string): string | undefined {
  const extension = extname(path).toLowerCase();
  if (!binary.has(extension)) return undefined;
  return `This tool cannot read binary files. By its name this is one (${extension}): use a skill for such files if there is one, or a command that understands them.`;
}
