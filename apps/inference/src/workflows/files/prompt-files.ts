import { Injectable } from '@nestjs/common';
import type { TurnFile } from '@parlance/chat-models';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { PromptMemory } from './prompt-memory.ts';
import { Tampered } from '@parlance/privacy';

/** The limits for the files of one prompt, which takes the latest first. Requests to providers have limits of about these sizes. */
export const PROMPT_FILE_BYTES = 16 * 1024 * 1024;
export const PROMPT_IMAGES = 20;
export const PROMPT_DOCUMENTS = 5;
export const PROMPT_FILE_TEXT_BYTES = 512 * 1024;

const NOTHING = new Uint8Array();
/** Images have no name. */
const NO_NAME = 'image';

/** The properties of a file that decide how a prompt includes it. */
export type SizedFile = Pick<MessageFile, 'kind' | 'mediaType' | 'bytes' | 'textBytes'>;

/** Which kinds of files a model accepts. */
export interface Takes {
  readonly images: boolean;
  readonly documents: boolean;
}

/** How a prompt includes a file. */
interface Chosen<File> {
  readonly file: File;
  readonly asFile: boolean;
  readonly asText: boolean;
}

/** The files of the turns of a prompt. */
export interface PromptFiles {
  /** Files by their IDs. Removed files are left out. */
  readonly byId: ReadonlyMap<string, TurnFile>;
  /** Releases the memory of the files. Call it when the reply has ended. */
  readonly release: () => void;
}

const NO_FILES: PromptFiles = { byId: new Map(), release: () => undefined };

/** Loads the files of a conversation for a model: the kinds that it accepts as files, and the texts of the others. */
@Injectable()
export class PromptFilesOf {
  constructor(
    private readonly files: MessageFiles,
    private readonly catalogue: Catalogue,
    private readonly memory: PromptMemory,
  ) {}

  /** `files`: the files of all turns, the latest first. Waits for memory. Rejects with the signal's reason. */
  async load(conversationId: string, model: string, files: readonly MessageFile[], signal?: AbortSignal): Promise<PromptFiles> {
    if (files.length === 0) return NO_FILES;
    const chosen = chooseFiles(files, this.catalogue.readsOfAny(model));
    const bytes = chosen.reduce(
      (sum, { file, asFile, asText }) => sum + (asFile ? file.bytes : 0) + (asText ? (file.textBytes ?? 0) : 0),
      0,
    );
    const release = await this.memory.take(bytes, signal);
    try {
      const byId = new Map<string, TurnFile>();
      for (const each of chosen) {
        const loaded = await this.loaded(conversationId, each);
        if (loaded) byId.set(each.file.id, loaded);
      }
      return { byId, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The names of files, used as the text of a message that has none. */
  async namesOf(files: readonly MessageFile[]): Promise<string> {
    const details = await Promise.all(files.map((file) => this.files.details(file)));
    return details.map((each) => each?.name ?? NO_NAME).join(' ');
  }

  /** Null if the file was erased or is damaged. */
  private async loaded(conversationId: string, { file, asFile, asText }: Chosen<MessageFile>): Promise<TurnFile | null> {
    const details = await this.files.details(file);
    if (!details) return null;
    try {
      const bytes = asFile ? await this.files.bytes(conversationId, file, details) : null;
      const text = asText ? await this.files.text(conversationId, file, details) : null;
      return { mediaType: file.mediaType, name: details.name, bytes: bytes ?? NOTHING, ...(text !== null && { text }) };
    } catch (error) {
      if (error instanceof Tampered) return null;
      throw error;
    }
  }
}

/** Decides how a prompt includes each file, within the limits. The only documents that providers accept are PDFs. */
export function chooseFiles<File extends SizedFile>(files: readonly File[], takes: Takes): Chosen<File>[] {
  const left = { bytes: PROMPT_FILE_BYTES, images: takes.images ? PROMPT_IMAGES : 0, documents: takes.documents ? PROMPT_DOCUMENTS : 0 };
  let textLeft = PROMPT_FILE_TEXT_BYTES;
  return files.map((file) => {
    const isDocument = file.mediaType === 'application/pdf';
    const counted = file.kind === 'image' ? 'images' : 'documents';
    const asFile = (file.kind === 'image' || isDocument) && left[counted] > 0 && file.bytes <= left.bytes;
    if (asFile) {
      left[counted]--;
      left.bytes -= file.bytes;
    }
    // The text is included with the file too: a fallback may accept text only.
    const asText = file.textBytes !== undefined && file.textBytes <= textLeft;
    if (asText) textLeft -= file.textBytes;
    return { file, asFile, asText };
  });
}
