import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RefusedAction, ViewedAction } from './audit-recorder.ts';
import { problemOf } from '../problems/problem.ts';
import type { RoutePolicy } from '../routes/route-options.ts';

export const AUDITED = 'parlance:audited';
export const AUDITED_IF_UNKNOWN = 'parlance:audited-if-unknown';

/** The action and the type of resource that the audit log records for a route. */
export interface AuditedAction {
  readonly action: string;
  readonly resourceType: string;
  /** The path parameter with the resource's ID. */
  readonly from?: string;
  /** Another action, recorded in place of the first if a field of the body has this value. */
  readonly instead?: { readonly field: string; readonly value: unknown; readonly action: string };
}

/**
 * For a route that changes something. Its refusals (403, 409, 412) are recorded before they are answered. Its successes are recorded by the
 * service's public events. Refusals of too many attempts (429 `too_many_attempts`) are recorded a few times a minute for each address.
 */
export const Audited = (action: string, resourceType: string, from?: string, instead?: AuditedAction['instead']): MethodDecorator =>
  SetMetadata(AUDITED, {
    action,
    resourceType,
    ...(from === undefined ? {} : { from }),
    ...(instead && { instead }),
  } satisfies AuditedAction);

/**
 * For a route that checks a credential other than an access token. Refusals of the credential (401) are recorded before they are answered, a
 * few times a minute for each address.
 */
export const AuditedIfUnknown = (action: string, resourceType: string): MethodDecorator & ClassDecorator =>
  SetMetadata(AUDITED_IF_UNKNOWN, { action, resourceType } satisfies AuditedAction);

/** Refusals with these statuses are recorded in the audit log: missing right, conflicting state, stale version. */
const RECORDED: ReadonlySet<number> = new Set([403, 409, 412]);

/** The code that refuses further attempts at passwords and second factors. Other refusals with 429 are about load. */
const TOO_MANY_ATTEMPTS = 'too_many_attempts';

/** The entry that a failed request adds to the audit log; null for most requests. */
export function refusedActionOf(request: FastifyRequest, error: unknown): RefusedAction | null {
  const { policy } = request.routeOptions.config;
  const { instead } = policy?.audited ?? {};
  const body = request.body as Readonly<Record<string, unknown>> | null | undefined;
  if (!policy?.audited || !instead || body?.[instead.field] !== instead.value) return refusedBy(policy, request.params, error);
  return refusedBy({ ...policy, audited: { ...policy.audited, action: instead.action } }, request.params, error);
}

export function refusedBy(
  { audited, auditedIfUnknown }: Pick<RoutePolicy, 'audited' | 'auditedIfUnknown'> = {},
  params: unknown,
  error: unknown,
): RefusedAction | null {
  if (audited === undefined && auditedIfUnknown === undefined) return null;
  const { status, body } = problemOf(error);
  const { code, message } = body;
  const isUnknown = status === 401;
  const isGuess = code === TOO_MANY_ATTEMPTS;
  const tried = isUnknown ? auditedIfUnknown : isGuess || RECORDED.has(status) ? audited : undefined;
  if (tried === undefined) return null;
  return { ...actionOf(tried, params), code, message, ...((isUnknown || isGuess) && { isFrequent: true }) };
}

export function actionOf({ action, resourceType, from }: AuditedAction, params: unknown): ViewedAction {
  return { action, resourceType, resourceId: from === undefined ? null : idIn(params, from) };
}

// oxlint-disable-next-line no-control-regex
const ID = /^[^\u0000-\u001f\u007f-\u009f]{1,128}$/;

/** The parameter's value; null if it cannot be an ID, because the parameter has not been validated yet. */
export function idIn(params: unknown, name: string): string | null {
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && ID.test(value) ? value : null;
}
