import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { userSubject } from '@parlance/foundation';
import { Shredded, Vault } from '@parlance/privacy';
import type { FilePlace } from '../adapters/file-store.ts';
import { type UploadsCommand, uploadsId } from '../domain/uploads.ts';
import { ExecuteUploads } from './aggregates.ts';
import { userErased } from './bot-writer.ts';
import { OneAtATime } from './one-at-a-time.ts';

/** Notes what is about to be stored in the place of a bot's files, so that the clean-up and the removal look there. */
@Injectable()
export class UploadNotes {
  /** A client that uploads a folder asks for many addresses at the same time. */
  private readonly turns = new OneAtATime();

  constructor(
    private readonly commands: CommandBus,
    private readonly vault: Vault,
  ) {}

  /**
   * Nothing is written for an erased user. The vault knows, because the user's key is destroyed. Throws the refusals of the decider, and
   * `invalid_token` (unauthenticated).
   */
  async note({ ownerUserId, botId }: FilePlace, command: UploadsCommand): Promise<void> {
    const id = uploadsId(ownerUserId, botId);
    try {
      await this.turns.do(id, () =>
        this.vault.sealing(userSubject(ownerUserId), () => this.commands.execute(new ExecuteUploads(id, command))),
      );
    } catch (error) {
      throw error instanceof Shredded ? userErased() : error;
    }
  }
}
