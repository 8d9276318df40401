import { Body, type CanActivate, Controller, HttpCode, Inject, Param, Post, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { refuse } from '@parlance/decider';
import { IsOptional, Length } from 'class-validator';
import { AuditRecorder, Internal, refusedBy, type Route, routesOf } from '@parlance/http';
import { RequestContext } from '@parlance/observability';

/** The route with which a service checks a credential that only its own guards can check. */
export const CREDENTIALS_PATH = '/internal/credentials';

const MAX_LENGTH = 16_384;

class CredentialsBody {
  @IsOptional() @Length(1, MAX_LENGTH) authorization?: string;
  @IsOptional() @Length(1, MAX_LENGTH) api_key?: string;
}

/**
 * Runs the guards of the routes marked `@CheckedHere(scheme)` on the headers of a request. The edge calls this route before it receives the
 * body or stores the request for idempotency, so it does neither for a refused caller. The guards run again on the complete request.
 */
@Internal()
@Controller(CREDENTIALS_PATH.slice(1))
export class CredentialsController {
  private readonly routes = new Map<string, Route>();

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** Answers 204, or with the guard's refusal. */
  @Post(':scheme')
  @HttpCode(204)
  async check(@Param('scheme') scheme: string, @Body() { authorization, api_key: apiKey }: CredentialsBody): Promise<void> {
    const route = this.routeOf(scheme);
    const { controller, handler } = route;
    const request = { headers: { authorization, 'x-api-key': apiKey } };
    const context = new ExecutionContextHost([request], controller as Type, handler as () => void);
    try {
      for (const guard of this.guardsOf(controller, handler)) {
        if ((await guard.canActivate(context)) !== true) throw refuse('unauthenticated', 'unauthenticated', 'Authentication required.');
      }
    } catch (error) {
      await this.record(route, error);
      throw error;
    }
  }

  /** Records the refusal as the route would have done, because the edge does not forward the request. */
  private async record({ policy }: Route, error: unknown): Promise<void> {
    const current = RequestContext.current();
    const refused = current && refusedBy(policy, {}, error);
    // The caller of this route is the edge; the refused caller is unknown.
    if (refused)
      await RequestContext.run({ ...current, caller: null }, () => this.moduleRef.get(AuditRecorder, { strict: false }).record(refused));
  }

  private routeOf(scheme: string): Route {
    if (this.routes.size === 0) {
      for (const route of routesOf(this.modules)) {
        const { access } = route.policy;
        if (access.to === 'anyone' && access.scheme !== undefined) this.routes.set(access.scheme, route);
      }
    }
    const route = this.routes.get(scheme);
    if (!route) throw refuse('missing', 'no_such_scheme', 'No route of this service takes this kind of credential.');
    return route;
  }

  private guardsOf(controller: object, handler: object): CanActivate[] {
    const classes = [controller, handler].flatMap((target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as Type<CanActivate>[]);
    const module = [...this.modules.values()].find(({ controllers }) => controllers.has(controller as Type));
    const guards = classes.map((type) => module?.injectables.get(type)?.instance as CanActivate | undefined);
    // A scheme without a guard would admit every caller.
    if (guards.length === 0 || guards.includes(undefined)) throw new Error(`${(controller as Type).name} has no guard for its credential`);
    return guards as CanActivate[];
  }
}
