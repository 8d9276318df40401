import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { imageKind, type ImageType } from '@parlance/documents';
import { DamagedObject } from '@parlance/object-store';
import { type Sealed, Tampered, Vault } from '@parlance/privacy';
import { FileStore, prefixOf, type UploadLocation } from './file-store.ts';

/** A sealed picture has no type of its own. Its bytes have one. */
const SEALED_TYPE = 'application/octet-stream';

export interface Picture {
  readonly bytes: Buffer;
  readonly mediaType: ImageType;
}

/** The name of a picture among the files of its bot. Uploaded files have other names, which are hashes. */
export const pictureFileOf = (pictureId: string): string => `picture-${pictureId}`;

const keyOf = (location: UploadLocation, pictureId: string) => prefixOf(location) + pictureFileOf(pictureId);

/** The sealed pictures of bots. They are among the uploaded files of their bot, so they are removed with these. */
@Injectable()
export class PictureFiles {
  constructor(
    private readonly files: FileStore,
    private readonly vault: Vault,
  ) {}

  async put(location: UploadLocation, pictureId: string, sealed: Sealed): Promise<void> {
    await this.files.require().put(keyOf(location, pictureId), Buffer.from(sealed), { contentType: SEALED_TYPE });
  }

  /** Null if the file is missing or damaged, or the bot's key is destroyed. */
  async find(location: UploadLocation, pictureId: string): Promise<Picture | null> {
    try {
      const object = await this.files.require().get(keyOf(location, pictureId));
      const text = object && (await this.vault.open((await buffer(object.body)).toString() as Sealed));
      const bytes = text === null ? null : Buffer.from(text, 'base64');
      const kind = bytes && imageKind(bytes);
      return kind && { bytes: bytes!, mediaType: kind.mediaType };
    } catch (error) {
      if (error instanceof Tampered || error instanceof DamagedObject) return null;
      throw error;
    }
  }

  async remove(location: UploadLocation, pictureId: string): Promise<void> {
    await this.files.require().remove(keyOf(location, pictureId));
  }
}
