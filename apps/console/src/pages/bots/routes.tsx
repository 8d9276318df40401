import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/root-route.tsx';
import { choiceParam, textParam } from '../../app/search-params.ts';
import { BOT_KINDS, type BotKind } from './list/bot-kinds.ts';
import { type InsightsSearch, insightsSearch } from './insights/insights-search.ts';

const version = (value: unknown): number | undefined => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined);

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/bots',
  validateSearch: (search: Record<string, unknown>): { kind?: BotKind; token?: string } => ({
    kind: choiceParam(search['kind'], BOT_KINDS),
    token: textParam(search['token']),
  }),
  component: lazyPage(() => import('./list/bots-page.tsx'), 'BotsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/bots/new',
  component: lazyPage(() => import('./editor/new-bot-page.tsx'), 'NewBotPage'),
});

const botRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/bots/$botId',
  component: lazyPage(() => import('./header/bot-layout.tsx'), 'BotLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/bots/$botId/edit', params, replace: true });
  },
});

const editRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/edit',
  component: lazyPage(() => import('./editor/editor-page.tsx'), 'EditorPage'),
});

const knowledgeRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/knowledge',
  component: lazyPage(() => import('./knowledge/knowledge-page.tsx'), 'KnowledgePage'),
});

const historyRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/history',
  validateSearch: (search: Record<string, unknown>): { token?: string; version?: number; with?: number } => ({
    token: textParam(search['token']),
    version: version(search['version']),
    with: version(search['with']),
  }),
  component: lazyPage(() => import('./history/history-page.tsx'), 'HistoryPage'),
});

const publishRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/publish',
  component: lazyPage(() => import('./publish/publish-page.tsx'), 'PublishPage'),
});

const insightsRoute = createRoute({
  getParentRoute: () => botRoute,
  path: '/insights',
  validateSearch: (search: Record<string, unknown>): InsightsSearch => insightsSearch(search),
  component: lazyPage(() => import('./insights/insights-page.tsx'), 'InsightsPage'),
});

export const botRoutes = [
  listRoute,
  newRoute,
  botRoute.addChildren([indexRoute, editRoute, knowledgeRoute, historyRoute, publishRoute, insightsRoute]),
] as const;
