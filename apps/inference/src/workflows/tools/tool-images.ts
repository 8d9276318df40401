import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { type Subject, Vault } from '@parlance/privacy';
import { checkedImage } from '../../adapters/files/file-reader.ts';
import { type CheckedFile, MessageFiles, type MessageRef } from '../../adapters/files/message-files.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';

/** Stores the images that calls of tools have made, as files of the reply. */
@Injectable()
export class ToolImages {
  constructor(
    private readonly files: MessageFiles,
    private readonly vault: Vault,
  ) {}

  /** The images are base64. Null if one of them is no image, or too large. Call it before the append that names the files. */
  async stored(place: MessageRef, callId: string, images: readonly string[], subject: Subject): Promise<readonly MessageFile[] | null> {
    const checked = await checkedImages(images);
    return checked && this.vault.sealing(subject, (seal) => this.files.store(place, checked, seal, `${callId}-`));
  }
}

async function checkedImages(images: readonly string[]): Promise<readonly CheckedFile[] | null> {
  const checked: CheckedFile[] = [];
  try {
    for (const body of images) checked.push(await checkedImage({ path: '', body }));
    return checked;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
