import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '@parlance/privacy';

/** Which of a session's refresh tokens: they are counted from 0. */
export interface RefreshTicket {
  readonly sessionId: string;
  readonly generation: number;
}

const form = /^prt_([0-9A-HJKMNP-TV-Z]{26})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/;

/**
 * Refresh tokens say which one they are and prove it by a MAC, so nothing of them has to be kept: one that was given out
 * earlier is known again however long ago that was, and one that never was can't end a session.
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

  /** Null for what was not issued here. */
  read(token: string): RefreshTicket | null {
    const [, sessionId = '', count = '', mac = ''] = form.exec(token) ?? [];
    if (sessionId === '') return null;
    const ticket = { sessionId, generation: Number(count) };
    // Compared as text: base64url decodes several texts to the same bytes, and only the text that was given out is taken back.
    const [given, own] = [Buffer.from(mac), Buffer.from(this.mac(ticket))];
    return given.length === own.length && timingSafeEqual(given, own) ? ticket : null;
  }

  private mac({ sessionId, generation }: RefreshTicket): string {
    return createHmac('sha256', this.key).update(`${sessionId}.${generation}`).digest('base64url');
  }
}
