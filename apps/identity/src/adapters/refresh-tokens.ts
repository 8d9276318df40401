import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';

/** Identifies one refresh token of a session. Generations count from 0. */
export interface RefreshTicket {
  readonly sessionId: string;
  readonly generation: number;
}

const form = /^prt_([0-9A-HJKMNP-TV-Z]{26})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/;

/**
 * A refresh token names its session and generation, and carries a MAC of both, so tokens need no storage. A used token is
 * recognised however old it is, and a forged token cannot end a session.
 */
@Injectable()
export class RefreshTokens {
  private readonly key: Uint8Array;

  constructor(master: MasterKey) {
    this.key = master.derive('refresh-tokens');
  }

  issue(ticket: RefreshTicket): string {
    return `prt_${ticket.sessionId}.${ticket.generation}.${this.mac(ticket)}`;
  }

  /** Null if the token was not issued here. */
  read(token: string): RefreshTicket | null {
    const [, sessionId = '', count = '', mac = ''] = form.exec(token) ?? [];
    if (sessionId === '') return null;
    const ticket = { sessionId, generation: Number(count) };
    // Compared as text, because base64url decodes several texts to the same bytes and only the issued text is valid.
    const [received, expected] = [Buffer.from(mac), Buffer.from(this.mac(ticket))];
    return received.length === expected.length && timingSafeEqual(received, expected) ? ticket : null;
  }

  private mac({ sessionId, generation }: RefreshTicket): string {
    return createHmac('sha256', this.key).update(`${sessionId}.${generation}`).digest('base64url');
  }
}
