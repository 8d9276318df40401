export type UploadState = 'waiting' | 'sending' | 'sent' | 'failed';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  readonly sentBytes: number;
  readonly reason: string;
}

/** Unfinished uploads, lost if the user leaves the page. */
export const isRunning = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

/** Uploads at the same time. */
const MOST_AT_ONCE = 3;

interface UploadsOptions {
  readonly send: (file: File, onProgress: (sentBytes: number) => void, signal: AbortSignal) => Promise<void>;
  /** Called once no upload is running, with the names of all files sent since the last call. */
  readonly onSent: (names: readonly string[]) => Promise<void>;
  readonly onChange: (uploads: readonly Upload[]) => void;
  readonly reasonOf: (error: unknown) => string;
}

/** Uploads files, a few at the same time. The bot is changed once for all of them. */
export class Uploads {
  private list: readonly Upload[] = [];
  private readonly stops = new Map<number, AbortController>();
  private sent: string[] = [];
  private lastId = 0;

  constructor(private readonly options: UploadsOptions) {}

  add(files: readonly File[]): void {
    const waiting = files.map((file): Upload => ({ id: ++this.lastId, file, state: 'waiting', sentBytes: 0, reason: '' }));
    this.show([...this.list, ...waiting]);
    this.begin();
  }

  retry(id: number): void {
    this.set(id, { state: 'waiting', sentBytes: 0, reason: '' });
    this.begin();
  }

  /** Removes a file from the list, and stops its upload. */
  remove(id: number): void {
    this.stops.get(id)?.abort();
    this.show(this.list.filter((upload) => upload.id !== id));
  }

  clear(): void {
    this.show(this.list.filter(isRunning));
  }

  stop(): void {
    for (const stop of this.stops.values()) stop.abort();
    this.list = [];
  }

  private begin(): void {
    for (const upload of this.list) {
      if (this.stops.size >= MOST_AT_ONCE) return;
      if (upload.state === 'waiting') void this.send(upload);
    }
  }

  private async send({ id, file }: Upload): Promise<void> {
    const stop = new AbortController();
    this.stops.set(id, stop);
    this.set(id, { state: 'sending' });
    try {
      await this.options.send(file, (sentBytes) => this.set(id, { sentBytes }), stop.signal);
      this.sent.push(file.name);
      this.set(id, { state: 'sent', sentBytes: file.size });
    } catch (error) {
      // An upload that was stopped is no longer in the list.
      this.set(id, { state: 'failed', reason: this.options.reasonOf(error) });
    }
    this.stops.delete(id);
    this.begin();
    if (this.stops.size === 0 && this.sent.length > 0) await this.options.onSent(this.sent.splice(0));
  }

  private set(id: number, part: Partial<Upload>): void {
    this.show(this.list.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  }

  private show(list: readonly Upload[]): void {
    this.list = list;
    this.options.onChange(list);
  }
}
