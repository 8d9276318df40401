import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { userSubject } from '@parlance/foundation';
import { Shredded, Vault } from '@parlance/privacy';
import type { UploadLocation } from '../adapters/file-store.ts';
import { type UploadsCommand, uploadsId } from '../domain/uploads.ts';
import { ExecuteUploads } from './aggregates.ts';
import { userErased } from './bot-writer.ts';

/** Records that files are about to be stored for a bot, so that the clean-up and the removal find them. */
@Injectable()
export class UploadNotes {
  constructor(
    private readonly commands: CommandBus,
    private readonly vault: Vault,
  ) {}

  /**
   * Writes nothing for an erased user, whom the vault recognises by the destroyed key. Throws the refusals of the decider, and
   * `invalid_token` (unauthenticated).
   */
  async note({ ownerUserId, botId }: UploadLocation, command: UploadsCommand): Promise<void> {
    const id = uploadsId(ownerUserId, botId);
    try {
      await this.vault.sealing(userSubject(ownerUserId), () => this.commands.execute(new ExecuteUploads(id, command)));
    } catch (error) {
      throw error instanceof Shredded ? userErased() : error;
    }
  }
}
