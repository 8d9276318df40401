import { S3Sources, SourceFailed, type SourceReader } from '@parlance/sources';

/** `knowledgeS3` of the configuration. */
export interface ObjectListSettings {
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
  readonly buckets: readonly string[];
}

/** The S3-compatible store from which bots may read knowledge, if there is one. */
export class ObjectLists {
  private readonly store: S3Sources | null;

  constructor(settings: ObjectListSettings | null) {
    if (!settings) {
      this.store = null;
      return;
    }
    const { endpoint, buckets, ...access } = settings;
    this.store = new S3Sources({ ...access, readable: buckets, ...(endpoint !== null && { endpoint }) });
  }

  /** Why bots may not read from this URL, or null. Sends no request. */
  faultOf(url: string): `T${string}.` | null {
    try {
      this.reader(url, { maxObjects: 1, maxBytes: 1 });
      return null;
    } catch (error) {
      if (error instanceof SourceFailed) return `The URL ${url} cannot be read: ${error.message.replace(/\.$/, '')}.`;
      throw error;
    }
  }

  /** Throws `SourceFailed`. */
  reader(url: string, bounds: { readonly maxObjects: number; readonly maxBytes: number }): SourceReader {
    if (this.store) return this.store.objects(url, bounds);
    throw new SourceFailed('bucket_forbidden', 'This installation reads no object store. An administrator has to configure knowledgeS3.');
  }

  async close(): Promise<void> {
    this.store?.close();
  }
}
