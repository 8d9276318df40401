import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RefusedAction, ViewedAction } from './audit-recorder.ts';
import { problemOf } from '../problems/problem.ts';
import type { RoutePolicy } from '../routes/route-options.ts';

export const AUDITED = 'parlance:audited';
export const AUDITED_IF_UNKNOWN = 'parlance:audited-if-unknown';

/** What a route does, in the words of the audit log. */
export interface AuditedAction {
  readonly action: string;
  readonly resourceType: string;
  /** The path parameter that holds the resource's id. */
  readonly from?: string;
}

/**
 * For a route that changes something: when it refuses (403, 409, 412), that is on record before it is answered. What it does is told by
 * the service's own events.
 */
export const Audited = (action: string, resourceType: string, from?: string): MethodDecorator =>
  SetMetadata(AUDITED, { action, resourceType, ...(from === undefined ? {} : { from }) } satisfies AuditedAction);

/**
 * For a route that looks at a credential which is no access token: when it refuses the credential (401), that is on record before it is
 * answered, a few times a minute for each address.
 */
export const AuditedIfUnknown = (action: string, resourceType: string): MethodDecorator & ClassDecorator =>
  SetMetadata(AUDITED_IF_UNKNOWN, { action, resourceType } satisfies AuditedAction);

/** Refusals of these are in the audit log: by a right, by the state, by a version. */
const RECORDED: ReadonlySet<number> = new Set([403, 409, 412]);

/** What of a failed request belongs in the audit log; null for most. */
export function refusedActionOf(request: FastifyRequest, error: unknown): RefusedAction | null {
  return refusedBy(request.routeOptions.config.policy, request.params, error);
}

export function refusedBy(
  { audited, auditedIfUnknown }: Pick<RoutePolicy, 'audited' | 'auditedIfUnknown'> = {},
  params: unknown,
  error: unknown,
): RefusedAction | null {
  if (audited === undefined && auditedIfUnknown === undefined) return null;
  const { status, body } = problemOf(error);
  const isUnknown = status === 401;
  const tried = isUnknown ? auditedIfUnknown : RECORDED.has(status) ? audited : undefined;
  if (tried === undefined) return null;
  const { code, message } = body;
  return { ...actionOf(tried, params), code, message, ...(isUnknown && { isUnknown }) };
}

export function actionOf({ action, resourceType, from }: AuditedAction, params: unknown): ViewedAction {
  return { action, resourceType, resourceId: from === undefined ? null : idIn(params, from) };
}

// oxlint-disable-next-line no-control-regex
const ID = /^[^\u0000-\u001f\u007f-\u009f]{1,128}$/;

/** Refused before any rule has looked at it, a parameter may be anything: what can't be an id is not kept for one. */
export function idIn(params: unknown, name: string): string | null {
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && ID.test(value) ? value : null;
}
