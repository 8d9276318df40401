/** Thrown when the process that reads documents can't be started, or a file can't be opened. Another try may succeed. */
export class DocumentReaderFailed extends Error {
  override readonly name = 'DocumentReaderFailed';
}

/** Thrown when a file has waited for as long as its caller allows. Another try may succeed. */
export class DocumentReaderBusy extends Error {
  override readonly name = 'DocumentReaderBusy';
}

/** Thrown when a file was dropped because it is large and has the place of small files. It can be read from its beginning. */
export class TurnOver extends Error {}

/** Thrown when a process that had read others was lost before it reported anything of a document. Another process can read it. */
export class ProcessLost extends Error {}

export const notOpened = ({ code }: NodeJS.ErrnoException) => new DocumentReaderFailed(`The file could not be opened (${code}).`);
