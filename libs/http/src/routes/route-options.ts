import { SetMetadata } from '@nestjs/common';
import type { Access } from '../access/access.ts';
import type { AuditedAction } from '../access/audited.ts';
import type { RefusalForm } from '../problems/refusal-form.ts';

export const BODY_LIMIT = 'parlance:body-limit';
export const STREAMS = 'parlance:streams';

/** The largest body of a route in bytes, in place of the application's limit. */
export const BodyLimit = (bytes: number): MethodDecorator => SetMetadata(BODY_LIMIT, bytes);

/** For a route whose answer may take longer than the time limit of answers: a stream, or a wait that has its own limit. */
export const LongAnswer = (): MethodDecorator => SetMetadata(STREAMS, true);

/** The declarations of a route, kept in Fastify's route config. */
export interface RoutePolicy {
  readonly access: Access;
  readonly takesQuery: boolean;
  readonly bodyLimit?: number;
  readonly streams: boolean;
  readonly audited?: AuditedAction;
  readonly auditedIfUnknown?: AuditedAction;
  readonly refusalForm?: RefusalForm;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
}
