import { SetMetadata } from '@nestjs/common';
import type { Access } from '../access/access.ts';
import type { AuditedAction } from '../access/audited.ts';
import type { RefusalForm } from '../problems/refusal-form.ts';

export const BODY_LIMIT = 'parlance:body-limit';
export const TEXT_BODY = 'parlance:text-body';
export const BYTE_TYPES = 'parlance:byte-types';
export const STARTS_WORK = 'parlance:starts-work';
export const STREAMS = 'parlance:streams';

/** The largest body of a route in bytes. It replaces the application's limit. */
export const BodyLimit = (bytes: number): MethodDecorator => SetMetadata(BODY_LIMIT, bytes);

/** For a route without the time limit of answers: a stream, or a wait that has its own limit. */
export const LongAnswer = (): MethodDecorator => SetMetadata(STREAMS, true);

/** For a route that begins work that the service may be too busy for. It is then refused before its body is read; see `FastifyInstance.refusalOfWork`. */
export const StartsWork = (): MethodDecorator => SetMetadata(STARTS_WORK, true);

/** A body that is not JSON. Its text is read as one field of the body class. */
export interface TextBody {
  readonly mediaType: string;
  readonly field: string;
}

/** For a route that also accepts a UTF-8 text of this type, instead of a JSON object with the text in this field. */
export const AlsoTakesText = (mediaType: string, field: string): MethodDecorator =>
  SetMetadata(TEXT_BODY, { mediaType, field } satisfies TextBody);

/**
 * For a route that reads its body itself, as bytes of one of these types: `@BodyBytes()`. JSON is not parsed, so the route must validate it.
 * Declare the schema with `@Takes`.
 */
export const TakesBytes = (...mediaTypes: readonly string[]): MethodDecorator => SetMetadata(BYTE_TYPES, mediaTypes);

/** The declarations of a route, kept in Fastify's route config. */
export interface RoutePolicy {
  readonly access: Access;
  readonly takesQuery: boolean;
  readonly bodyLimit?: number;
  readonly streams: boolean;
  readonly startsWork?: true;
  readonly textBody?: TextBody;
  readonly byteTypes?: readonly string[];
  readonly audited?: AuditedAction;
  readonly auditedIfUnknown?: AuditedAction;
  readonly refusalForm?: RefusalForm;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
}
