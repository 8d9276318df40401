import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';

/** Keyed hashes of commands, which are compared although the commands are sealed. A reader of the log cannot guess commands from them. */
@Injectable()
export class PromptCommandHashes {
  private readonly key: Uint8Array;

  constructor(master: MasterKey) {
    this.key = master.derive('prompt-commands');
  }

  of(command: string): string {
    return createHmac('sha256', this.key).update(command).digest('hex');
  }
}
