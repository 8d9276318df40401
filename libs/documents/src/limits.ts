const MIB = 1024 * 1024;

/** The bytes of a file. A larger file is refused before it is read. */
export const MAX_FILE_BYTES = 100 * MIB;

/** A larger file waits for a process that reads large files. */
export const SMALL_FILE_BYTES = 256 * 1024;

/** A file with more bytes to parse is also large, however well it is compressed. */
export const SMALL_PARSED_BYTES = 2 * MIB;

/** A file that has run for this time is large, regardless of its size. A small file takes less, including the loading of its parser. */
export const SLICE_MILLIS = 500;

/** The allowed processing time, by the bytes to parse. Each kind of document takes less than half of it. */
export const WORK_MILLIS = 3_000;
export const WORK_MILLIS_PER_MEBIBYTE = 2_000;

/** The bytes of a file that is sent to the process. Sending takes the service about 1 ms per MiB. */
export const MAX_SENT_BYTES = 16 * MIB;

/** The characters of text of one document, after repeated content (column names, JSON paths) is written out. */
export const MAX_TEXT = 50_000_000;

/** The characters of a document that becomes one chunk (`none`): the chunk is sent between processes in one message. */
export const MAX_WHOLE_TEXT = 1_000_000;

/** The maximum tokens that a chunk or a parent may be configured to have. */
export const MAX_CHUNK_TOKENS = 8_192;

/** The characters of a chunk or a parent, regardless of its tokens: a long run of spaces or dashes is one token. */
export const MAX_CHUNK_TEXT = 262_144;

/** The neighbours of a sentence that semantic chunking considers on each side. */
export const MAX_BUFFER_SIZE = 10;

/** The characters of chunks in one message between the processes. A single chunk may be longer. */
export const BATCH_TEXT = 131_072;

/** The sentences, and their characters, in one call of `embed`. */
export const EMBED_SENTENCES = 64;
export const EMBED_TEXT = 65_536;

/** The characters of a heading and of a title. */
export const MAX_HEADING = 200;

/** Entries of a zip archive. */
export const MAX_ENTRIES = 10_000;

/** Inflated bytes of one entry, and of all entries that are read. */
export const MAX_ENTRY_BYTES = 64 * MIB;
export const MAX_INFLATED_BYTES = 128 * MIB;

/** The maximum ratio between an entry and its compressed form, from `RATIO_FROM_BYTES` on. Text reaches about 30. */
export const MAX_RATIO = 200;
export const RATIO_FROM_BYTES = 4 * MIB;

/** Non-empty cells of a sheet, and the columns of a row. The second is Excel's limit. */
export const MAX_CELLS = 2_000_000;
export const MAX_COLUMNS = 16_384;

/** Cells of the rectangle from A1 to the last non-empty cell, because empty cells take memory too. */
export const MAX_AREA = 5_000_000;

/** The characters of one CSV cell. A longer one is an unclosed quote. */
export const MAX_CELL_TEXT = 1_000_000;

/** The nesting depth of JSON or HTML. */
export const MAX_DEPTH = 500;

/** Pages of a PDF. */
export const MAX_PAGES = 20_000;

/** Pages of a PDF that a model reads. Each page is a call. */
export const MAX_PAGES_FOR_MODEL = 500;

/** Pages that are drawn and passed to the model at once. */
export const PAGES_AT_ONCE = 4;

/** The longer side of a drawn page. Providers shrink larger pictures. */
export const PAGE_PIXELS = 1_568;

/** Pixels of an image inside a drawn page: A4 at 600 dots per inch. Larger images are left out. */
export const MAX_IMAGE_PIXELS = 36_000_000;
