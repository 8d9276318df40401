import { download } from './downloads.ts';
import { fileIdOf, type UploadLocation, type FileStore } from './file-store.ts';
import { type Download, type Fingerprint, ItemFailed, type KnowledgeItem } from './knowledge-items.ts';

/** An uploaded file of a bot. */
export class FileItem implements KnowledgeItem {
  readonly kind = 'file';
  readonly id: string;

  constructor(
    private readonly files: FileStore,
    private readonly location: UploadLocation,
    readonly name: string,
  ) {
    this.id = fileIdOf(location.botId, name);
  }

  async read(since: Fingerprint | null, directory: string, signal: AbortSignal): Promise<Download | 'unchanged'> {
    const object = await this.files.open(this.location, this.name);
    if (!object) throw new ItemFailed('not_uploaded', 'The file was not uploaded. Upload it, and read the sources again.');
    const { body, size, etag, contentType } = object;
    const isUnchanged = since?.etag === etag;
    if (isUnchanged || this.files.isTooLarge(size)) {
      body.destroy();
      if (isUnchanged) return 'unchanged';
      throw new ItemFailed('too_large', `The file is larger than ${this.files.mostMebibytes} MiB. Split it into several files.`);
    }
    const { path, hash } = await download(body, directory, signal);
    return { path, hash, etag, lastModified: null, contentType, isWebPage: false };
  }
}
