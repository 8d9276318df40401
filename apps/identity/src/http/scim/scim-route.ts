import { applyDecorators, createParamDecorator, type ExecutionContext, Header, HttpCode, UseGuards } from '@nestjs/common';
import { Answers, Refuses, Takes } from '@parlance/openapi';
import { AuditedIfUnknown, CheckedHere, RefusesAs, scimErrorForm, scimMediaType } from '@parlance/http';
import type { FastifyRequest } from 'fastify';
import { ScimTokenGuard } from './scim-token.guard.ts';

type Schema = Parameters<typeof Takes>[0];

/** A controller of /scim/v2, for callers with a provisioning token. Answers and refusals have SCIM's format. */
export const Scim = (): ClassDecorator =>
  applyDecorators(
    CheckedHere('scim'),
    AuditedIfUnknown('use_scim_token', 'scim_token'),
    UseGuards(ScimTokenGuard),
    RefusesAs(scimErrorForm),
  );

/** The answer of a route, and the refusal of callers without a valid token. */
export const ScimAnswers = (status: number, schema: Schema): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    Header('content-type', scimMediaType),
    Answers(status, schema, { mediaType: scimMediaType }),
    Refuses('invalid_scim_token', 401),
  );

/** The answer to a deletion. */
export const ScimDeletes = (): MethodDecorator => applyDecorators(HttpCode(204), Answers(204), Refuses('invalid_scim_token', 401));

/** The body of a route. Clients send extensions and attributes of their own, so unknown fields are ignored. */
export const ScimTakes = (schema: Schema): MethodDecorator => Takes(schema, scimMediaType);

/** The body as read from JSON. Undefined if there is none. */
export const ScimBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<FastifyRequest>().body,
);
