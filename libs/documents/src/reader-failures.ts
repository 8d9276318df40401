/** Thrown if the process that reads documents cannot be started, or a file cannot be opened. A retry may succeed. */
export class DocumentReaderFailed extends Error {
  override readonly name: string = 'DocumentReaderFailed';
}

/** Thrown if the process that reads documents ends before it is ready, with its error output as the cause. A retry seldom succeeds. */
export class DocumentReaderNotStarted extends DocumentReaderFailed {
  constructor(cause: Error) {
    super('The process that reads documents could not be started.', { cause });
  }
}

/** Thrown if a file has waited as long as its caller allows. A retry may succeed. */
export class DocumentReaderBusy extends Error {
  override readonly name = 'DocumentReaderBusy';
}

/** Thrown if a file was dropped because it is large and occupies the slot for small files. It can be read again from its beginning. */
export class TurnOver extends Error {}

/** Thrown if a reused process was lost before it reported anything about a document. Another process can read it. */
export class ProcessLost extends Error {}

export const notOpened = ({ code }: NodeJS.ErrnoException) => new DocumentReaderFailed(`The file could not be opened (${code}).`);
