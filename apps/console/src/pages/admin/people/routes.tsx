import { createRoute } from '@tanstack/react-router';
import { pagedSearch } from '../../../app/search-params.ts';
import { adminRoute } from '../../../app/root-route.tsx';
import {
  botSearch,
  botsSearch,
  costsSearch,
  groupsSearch,
  qualitySearch,
  questionsSearch,
  ratingsSearch,
  userSearch,
  usersSearch,
} from './search.ts';
import { adminPage } from '../admin-page.ts';

const parent = { getParentRoute: () => adminRoute };

export const peopleRoutes = [
  createRoute({
    ...parent,
    path: '/',
    component: adminPage('OverviewPage'),
  }),
  createRoute({
    ...parent,
    path: '/users',
    validateSearch: usersSearch,
    component: adminPage('UsersPage'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId',
    validateSearch: userSearch,
    component: adminPage('UserPage'),
  }),
  createRoute({
    ...parent,
    path: '/groups',
    validateSearch: groupsSearch,
    component: adminPage('GroupsPage'),
  }),
  createRoute({
    ...parent,
    path: '/invitations',
    validateSearch: pagedSearch,
    component: adminPage('InvitationsPage'),
  }),
  createRoute({
    ...parent,
    path: '/service-accounts',
    validateSearch: pagedSearch,
    component: adminPage('ServiceAccountsPage'),
  }),
  createRoute({
    ...parent,
    path: '/service-accounts/$accountId',
    validateSearch: pagedSearch,
    component: adminPage('ServiceAccountPage'),
  }),
  createRoute({
    ...parent,
    path: '/tokens',
    validateSearch: pagedSearch,
    component: adminPage('AllTokensPage'),
  }),
  createRoute({
    ...parent,
    path: '/costs',
    validateSearch: costsSearch,
    component: adminPage('CostsPage'),
  }),
  createRoute({
    ...parent,
    path: '/bots',
    validateSearch: botsSearch,
    component: adminPage('BotsPage'),
  }),
  createRoute({
    ...parent,
    path: '/bots/$botId',
    validateSearch: botSearch,
    component: adminPage('BotPage'),
  }),
  createRoute({
    ...parent,
    path: '/bots/$botId/ratings',
    validateSearch: ratingsSearch,
    component: adminPage('BadRatingsPage'),
  }),
  createRoute({
    ...parent,
    path: '/quality',
    validateSearch: qualitySearch,
    component: adminPage('QualityPage'),
  }),
  createRoute({
    ...parent,
    path: '/questions',
    validateSearch: questionsSearch,
    component: adminPage('QuestionsPage'),
  }),
  createRoute({
    ...parent,
    path: '/apis',
    validateSearch: pagedSearch,
    component: adminPage('ApisPage'),
  }),
] as const;
