import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';
import { RECOVERY_CODES } from '../../domain/credentials/factors.ts';

/** Letters and digits that look different from each other. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 12;

/** Recovery codes of 59 random bits. Only keyed hashes of them are stored. */
@Injectable()
export class RecoveryCodes {
  private readonly key: Uint8Array;

  constructor(master: MasterKey) {
    this.key = master.derive('recovery-codes');
  }

  mint(userId: string): { codes: readonly string[]; hashes: readonly string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, mintOne);
    return { codes, hashes: codes.map((code) => this.hashOf(userId, code)) };
  }

  /** Hashes the code in any case, with or without hyphens and spaces. */
  hashOf(userId: string, code: string): string {
    return createHmac('sha256', this.key)
      .update(`${userId}\0${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
      .digest('hex');
  }
}

function mintOne(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}
