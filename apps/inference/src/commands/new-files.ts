import { Injectable } from '@nestjs/common';
import { Refusal, refuse } from '@parlance/decider';
import { KeyTaken, type Seal } from '@parlance/privacy';
import { Catalogue } from '../adapters/pricing/catalogue.ts';
import { FileReader, type RequestFile } from '../adapters/files/file-reader.ts';
import { type CheckedFile, type MessageRef, MessageFiles } from '../adapters/files/message-files.ts';
import type { MessageFile } from '../domain/conversation-events.ts';
import { MAX_ATTACHMENTS, MAX_IMAGES } from '../domain/file-limits.ts';

/** Checks and stores the files of messages that are not accepted yet. */
@Injectable()
export class NewFiles {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly reader: FileReader,
    private readonly files: MessageFiles,
  ) {}

  /**
   * Checks the files of a request. Attachments are read in the turn of `account`. Throws the refusals `invalid_file` and `images_not_supported` (invalid), `busy`,
   * `object_store_not_configured` and `object_store_unavailable` (unavailable).
   */
  async checked(account: string, files: readonly RequestFile[], model: string): Promise<readonly CheckedFile[]> {
    if (files.length === 0) return [];
    await this.files.requireAvailable();
    const images = files.filter(({ kind }) => kind === 'image');
    if (images.length > MAX_IMAGES || files.length - images.length > MAX_ATTACHMENTS)
      throw refuse('invalid', 'invalid_file', `A message has at most ${MAX_IMAGES} images and ${MAX_ATTACHMENTS} attachments.`, {
        errors: [{ path: 'message.content', message: 'has too many files' }],
      });
    if (images.length > 0) this.requireVision(model);
    const checked = await this.reader.check(account, files);
    // Only a model that accepts documents can read a scanned one.
    const unread = checked.findIndex(({ kind, text }) => kind === 'attachment' && text === null);
    if (unread < 0 || this.catalogue.reads(model).documents) return checked;
    const message = 'No text was found in this file, and the model cannot see its pages. Choose another model.';
    throw refuse('invalid', 'invalid_file', message, { errors: [{ path: files[unread]!.path, message }] });
  }

  /** Throws the refusal `images_not_supported` (invalid). */
  requireVision(model: string): void {
    if (this.catalogue.reads(model).images) return;
    const others = this.catalogue.list.filter(({ id, available }) => available && this.catalogue.reads(id).images).map(({ id }) => id);
    const message = `The model ${model} cannot see images; models that can: ${others.join(', ') || 'none'}.` as const;
    throw refuse('invalid', 'images_not_supported', message, { errors: [{ path: 'message.model', message }] });
  }

  /** Call it before appending the event that names the files. Rejects as `MessageFiles.store` does. */
  store(place: MessageRef, files: readonly CheckedFile[], seal: Pick<Seal, 'json'>): Promise<readonly MessageFile[]> {
    return this.files.store(place, files, seal);
  }

  /**
   * Waits for the append, and removes the files if it was not carried out. If that is unknown, the files stay: the cleanup of files without
   * a message removes them later.
   */
  async removedUnlessNamed<Done extends { readonly written: boolean }>(place: MessageRef, append: Promise<Done>): Promise<Done> {
    let isNamed = true;
    try {
      const done = await append;
      isNamed = done.written;
      return done;
    } catch (error) {
      const isRefused = error instanceof Refusal && error.kind !== 'unavailable';
      isNamed = !isRefused && !(error instanceof KeyTaken);
      throw error;
    } finally {
      // A failed removal does not change the outcome.
      if (!isNamed) await this.files.remove(place).catch(() => undefined);
    }
  }
}
