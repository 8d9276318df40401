import { DocumentReader, type DocumentReaderOptions } from '@parlance/documents';

/**
 * Reads documents whose pages a model reads. Its processes draw the pages, for which they load native code; the processes for other
 * documents may not.
 */
export class DrawingReader extends DocumentReader {
  constructor(options: Omit<DocumentReaderOptions, 'drawsPages' | 'processes'>) {
    super({ ...options, processes: 1, drawsPages: true });
  }
}
