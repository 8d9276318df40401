import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { acceptsCsv, Audited, csvList, etagOf, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import { notFound } from '../../../domain/catalogue/catalogue-refusals.ts';
import type { ManagedCatalogue } from '../../../domain/catalogue/managed-catalogue.ts';
import { CallTargets } from '../../../workflows/calls/routes/call-targets.ts';
import { CatalogueChanges } from '../../../workflows/catalogue/catalogue-changes.ts';
import { CatalogueReader } from '../../../workflows/catalogue/catalogue-reader.ts';
import { RouteAnswer, RoutesAnswer } from './catalogue-answers.ts';
import { ChangeRouteBody, NewRouteBody, routeTermsIn, targetsIn } from './route-bodies.ts';

const COLUMNS = ['id', 'strategy', 'models', 'fallbacks', 'retries', 'timeout_seconds', 'paused', 'source', 'read_only'] as const;

/** The terms of a new route that its request leaves out: as in the configuration. */
const DEFAULTS = { strategy: 'weighted', fallbacks: [], retries: 2, timeoutSeconds: null } as const;

@Controller('admin/routes')
@Needs('Admin')
export class AdminRoutesController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly reader: CatalogueReader,
    private readonly changes: CatalogueChanges,
    private readonly targets: CallTargets,
  ) {}

  @Get()
  @Summary('List the routes, which are names for several models: those of the configuration, and added ones.')
  @Answers(200, RoutesAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.all();
    const read = async () => {
      const { routes, next_token } = await this.all();
      return { routes: routes.map(({ targets, ...route }) => ({ ...route, models: targets.map(({ model }) => model) })), next_token };
    };
    return csvList(reply, { list: 'routes', columns: COLUMNS, read });
  }

  @Get(':routeId')
  @Summary('Get a route with its models.')
  @Answers(200, RouteAnswer)
  @Refuses('route_not_found', 404)
  async find(@Param('routeId') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<RouteAnswer> {
    return this.tagged(id, reply);
  }

  @Post()
  @Audited('add_route', 'route')
  @Summary('Add a route: a name that stands for several models, for calls of programs.')
  @Answers(201, RouteAnswer)
  @Refuses('model_named_twice', 400)
  @Refuses('unknown_model', 400)
  @Refuses('model_name_taken', 409)
  @Refuses('route_exists', 409)
  @Refuses('route_read_only', 409)
  @Refuses('too_many_routes', 409)
  async add(@Body() body: NewRouteBody, @Res({ passthrough: true }) reply: FastifyReply): Promise<RouteAnswer> {
    await this.changes.addRoute(body.id, { ...DEFAULTS, ...routeTermsIn(body), targets: targetsIn(body.targets) });
    return this.tagged(body.id, reply);
  }

  @Patch(':routeId')
  @Audited('change_route', 'route', 'routeId')
  @Summary('Change a route that was added.')
  @Answers(200, RouteAnswer)
  @Refuses('model_named_twice', 400)
  @Refuses('unknown_model', 400)
  @Refuses('route_not_found', 404)
  @Refuses('route_read_only', 409)
  async change(
    @Param('routeId') id: string,
    @Body() body: ChangeRouteBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<RouteAnswer> {
    await this.changes.changeRoute(id, routeTermsIn(body), ifMatch);
    return this.tagged(id, reply);
  }

  @Delete(':routeId')
  @HttpCode(204)
  @Audited('remove_route', 'route', 'routeId')
  @Summary('Remove a route that was added.')
  @Answers(204)
  @Refuses('route_not_found', 404)
  @Refuses('route_read_only', 409)
  async remove(@Param('routeId') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.changes.removeRoute(id, ifMatch);
  }

  private async all(): Promise<z.infer<typeof RoutesAnswer>> {
    const state = await this.reader.refresh();
    const ids = [...this.catalogue.routes.keys()].toSorted();
    return { routes: ids.map((id) => this.answer(id, state)), next_token: null };
  }

  private async tagged(id: string, reply: FastifyReply): Promise<RouteAnswer> {
    const state = await this.reader.refresh();
    if (!this.catalogue.routes.has(id)) throw notFound('route');
    const answer = this.answer(id, state);
    if (answer.etag !== null) reply.header('etag', answer.etag);
    return answer;
  }

  private answer(id: string, { routes: managed }: ManagedCatalogue): RouteAnswer {
    const { strategy, targets, fallbacks, retries, timeout_seconds } = this.catalogue.routes.get(id)!;
    const source = this.catalogue.whole.sources.routes.get(id)!;
    return {
      id,
      strategy,
      targets: targets.map(({ model, weight }) => ({ model, weight })),
      fallbacks: [...fallbacks],
      retries,
      timeout_seconds,
      paused: [...targets.map(({ model }) => model), ...fallbacks].filter((model) => !this.isCalled(model)),
      source,
      read_only: source !== 'managed',
      etag: source === 'managed' ? etagOf(managed[id]!.version) : null,
    };
  }

  private isCalled(model: string): boolean {
    const provider = this.catalogue.entries.get(model)?.provider;
    const gate = provider === undefined ? null : this.catalogue.providers.gateOf(provider);
    return gate?.state !== 'open' && this.targets.isUsable(model);
  }
}
