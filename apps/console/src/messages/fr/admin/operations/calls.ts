import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: 'Appels',
  description:
    'Les appels de modèles par des programmes, sans bot, de tous les utilisateurs et comptes de service. La consultation de cette page est inscrite au journal d’audit.',
  start:
    'Les programmes ont besoin d’un jeton d’accès doté de l’autorisation « Appeler des modèles sans bot ». Les utilisateurs le créent sur la page de leur compte, sous « Accès API ».',
  ofUser: 'Afficher uniquement les appels de cet utilisateur',
  withToken: 'Afficher uniquement les appels avec ce jeton',
};
