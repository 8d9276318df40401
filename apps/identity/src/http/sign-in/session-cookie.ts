import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { SESSION_HEADER } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import { cookieAttributes, cookieValue } from './cookies.ts';
import type { SessionTokens, SignedInAnswer } from '../../workflows/sessions.ts';

const NAME = 'parlance_refresh';
const DAY_SECONDS = 86_400;

/**
 * The cookie for the refresh token, used if the browser sends the header `X-Parlance-Session: cookie`. No script can read the cookie.
 * Other sites cannot use it, because browsers do not let them send the header without permission.
 */
@Injectable()
export class SessionCookie {
  private readonly attributes: string;
  private readonly maxAge: number;

  constructor({ publicBaseUrl, sessionValidDays }: Config) {
    this.attributes = cookieAttributes(publicBaseUrl, '/auth', 'Strict');
    this.maxAge = sessionValidDays * DAY_SECONDS;
  }

  /** Whether the header asks for the cookie. Throws the refusal `invalid_session_header` for a value other than `cookie`. */
  isWanted(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header === 'cookie') return true;
    const errors = [{ path: SESSION_HEADER, message: 'must be cookie' }];
    throw refuse('invalid', 'invalid_session_header', 'The header X-Parlance-Session must be "cookie", or absent.', { errors });
  }

  /** Puts the refresh token into the cookie if wanted. Returns the body of the answer. */
  deliverTokens(reply: FastifyReply, isWanted: boolean, answer: SessionTokens): SignedInAnswer {
    if (!isWanted) return answer;
    const { refresh_token, ...rest } = answer;
    reply.header('set-cookie', `${NAME}=${refresh_token}; Max-Age=${this.maxAge}${this.attributes}`);
    return rest;
  }

  /** The Set-Cookie header that removes the cookie. */
  get end(): string {
    return `${NAME}=; Max-Age=0${this.attributes}`;
  }

  /** The refresh token in the header Cookie, or null. */
  read(header: string | undefined): string | null {
    return cookieValue(header, NAME);
  }
}
