import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';

/** A token and the hash of its secret. Only the hash is stored. */
export interface LinkToken {
  readonly token: string;
  readonly hash: string;
}

/** A token from a request: the ID in it, and the hash of its secret. */
export interface ShownToken {
  readonly id: string;
  readonly hash: string;
}

/** What the key of each kind of link is derived from. A token of one kind is not valid as another kind. */
const PURPOSES = {
  password_reset: 'mailed-reset-tokens',
  invitation: 'mailed-invitation-tokens',
  email_verification: 'mailed-verification-tokens',
} as const;
export type LinkKind = keyof typeof PURPOSES;

const form = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.([\w-]{43})$/;

/** Makes a token with 256 random bits. `id`: the ID of the user, in clear in the token. */
export function mintToken(id: string): LinkToken {
  return withSecret(id, randomBytes(32).toString('base64url'));
}

/** Null for text that does not look like a token. */
export function readToken(token: string): ShownToken | null {
  const [, id = '', secret = ''] = form.exec(token) ?? [];
  return id === '' ? null : { id, hash: hashOf(secret) };
}

/** The tokens in mails. Each attempt to send a mail derives the same token from the master key, so tokens need not be stored. */
@Injectable()
export class LinkTokens {
  constructor(private readonly master: MasterKey) {}

  /** `id`: the ID of the user or the invitation, in clear in the token. */
  of(kind: LinkKind, id: string, mailId: string): LinkToken {
    const key = this.master.derive(PURPOSES[kind]);
    return withSecret(id, createHmac('sha256', key).update(`${id} ${mailId}`).digest('base64url'));
  }
}

const withSecret = (id: string, secret: string): LinkToken => ({ token: `${id}.${secret}`, hash: hashOf(secret) });

/** Hashes the text, because base64url decodes several texts to the same bytes. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
