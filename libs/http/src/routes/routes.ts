import { RequestMethod } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
  SSE_METADATA,
} from '@nestjs/common/internal';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { ACCESS, type Access } from '../access/access.ts';
import { AUDITED, AUDITED_IF_UNKNOWN, type AuditedAction } from '../access/audited.ts';
import { REFUSAL_FORM, type RefusalForm } from '../problems/refusal-form.ts';
import { BODY_LIMIT, BYTE_TYPES, type RoutePolicy, STARTS_WORK, STREAMS, TEXT_BODY, type TextBody } from './route-options.ts';

export interface RouteArgument {
  readonly kind: RouteParamtypes | 'custom';
  /** The name of the parameter or header, if any. */
  readonly name: string | undefined;
  /** The TypeScript type, if it exists at run time. */
  readonly type: unknown;
  readonly pipes: readonly unknown[];
}

/** A route as its decorators declare it. */
export interface Route {
  /** In lower case. */
  readonly method: string;
  /** With a leading slash, parameters as `:name`. */
  readonly path: string;
  readonly controller: abstract new (...args: never[]) => unknown;
  readonly name: string;
  readonly handler: object;
  readonly status: number;
  readonly arguments: readonly RouteArgument[];
  readonly policy: RoutePolicy;
}

const scanner = new MetadataScanner();

/** Every route of an application's controllers. */
export function routesOf(modules: ModulesContainer): Route[] {
  const routes: Route[] = [];
  for (const module of modules.values()) {
    for (const { metatype } of module.controllers.values())
      if (typeof metatype === 'function') routes.push(...routesOfController(metatype));
  }
  return routes;
}

function routesOfController(metatype: object): Route[] {
  const controller = metatype as Route['controller'];
  const prototype = controller.prototype as Record<string, object>;
  const routes: Route[] = [];
  for (const name of scanner.getAllMethodNames(prototype)) {
    const handler = prototype[name];
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) continue;
    const own = argumentsOf(controller, prototype, name);
    for (const path of pathsOf(controller, handler)) {
      routes.push({
        method: (RequestMethod[method] ?? 'all').toLowerCase(),
        path,
        controller,
        name,
        handler,
        status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? (method === RequestMethod.POST ? 201 : 200),
        arguments: own,
        policy: policyOf(controller, handler, path, own),
      });
    }
  }
  return routes;
}

function pathsOf(controller: object, handler: object): string[] {
  const [bases, ends] = [controller, handler].map((target) => [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat());
  const join = (...parts: string[]): string =>
    `/${parts
      .flatMap((part) => part.split('/'))
      .filter(Boolean)
      .join('/')}`;
  return (bases ?? []).flatMap((base) => (ends ?? []).map((end) => join(base, end)));
}

function argumentsOf(controller: object, prototype: object, name: string): RouteArgument[] {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; data?: unknown; pipes?: unknown[] }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[];
  return Object.entries(metadata).map(([key, { index, data, pipes = [] }]) => {
    const kind = Number(key.split(':')[0]);
    return {
      kind: Number.isNaN(kind) ? 'custom' : (kind as RouteParamtypes),
      name: typeof data === 'string' ? data : undefined,
      type: types[index],
      pipes,
    };
  });
}

function policyOf(controller: object, handler: object, path: string, own: readonly RouteArgument[]): RoutePolicy {
  const declared = (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, controller)) as Access | undefined;
  const bodyLimit = Reflect.getMetadata(BODY_LIMIT, handler) as number | undefined;
  const textBody = Reflect.getMetadata(TEXT_BODY, handler) as TextBody | undefined;
  const byteTypes = Reflect.getMetadata(BYTE_TYPES, handler) as readonly string[] | undefined;
  const audited = Reflect.getMetadata(AUDITED, handler) as AuditedAction | undefined;
  const unknown = (Reflect.getMetadata(AUDITED_IF_UNKNOWN, handler) ?? Reflect.getMetadata(AUDITED_IF_UNKNOWN, controller)) as
    | AuditedAction
    | undefined;
  const refusalForm = Reflect.getMetadata(REFUSAL_FORM, controller) as RefusalForm | undefined;
  return {
    // The cluster sends probes without signing in.
    access: declared ?? { to: path.startsWith('/health/') ? 'anyone' : 'users' },
    takesQuery: own.some(({ kind }) => kind === RouteParamtypes.QUERY || kind === RouteParamtypes.REQUEST),
    streams: Reflect.hasMetadata(STREAMS, handler) || Reflect.hasMetadata(SSE_METADATA, handler),
    ...(Reflect.hasMetadata(STARTS_WORK, handler) && { startsWork: true }),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(textBody === undefined ? {} : { textBody }),
    ...(byteTypes === undefined ? {} : { byteTypes }),
    ...(audited === undefined ? {} : { audited }),
    ...(unknown === undefined ? {} : { auditedIfUnknown: unknown }),
    ...(refusalForm === undefined ? {} : { refusalForm }),
  };
}
