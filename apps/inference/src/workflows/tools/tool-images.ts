import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Subject, Vault } from '@parlance/privacy';
import { imageKind } from '../../adapters/files/image-type.ts';
import { type CheckedFile, MessageFiles, type MessageRef } from '../../adapters/files/message-files.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { MAX_IMAGE_BYTES } from '../../domain/file-limits.ts';

/** Stores the images that calls of tools have made, as files of the reply. */
@Injectable()
export class ToolImages {
  constructor(
    private readonly files: MessageFiles,
    private readonly vault: Vault,
  ) {}

  /** Null if one of them is no image, or too large. Call it before the append that names the files. */
  async stored(place: MessageRef, callId: string, images: readonly Uint8Array[], subject: Subject): Promise<readonly MessageFile[] | null> {
    const checked: CheckedFile[] = [];
    for (const image of images) {
      const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
      const kind = imageKind(bytes);
      if (!kind || bytes.length > MAX_IMAGE_BYTES) return null;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      checked.push({ kind: 'image', mediaType: kind.mediaType, name: null, bytes, sha256, text: null });
    }
    return this.vault.sealing(subject, (seal) => this.files.store(place, checked, seal, `${callId}-`));
  }
}
