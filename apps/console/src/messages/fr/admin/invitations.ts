import type { adminInvitations as English } from '../../en/admin/invitations.ts';

/** Texts of invitations. */
export const adminInvitations: typeof English = {
  description:
    'Les personnes qui ont reçu un lien pour créer leur compte. Un lien fonctionne une seule fois, pendant sept jours. La consultation de cette page est inscrite au journal d’audit.',
  create: 'Inviter une personne',
  send: 'Envoyer l’invitation',
  sent: (email) => `Invitation envoyée à ${email}.`,
  emptyTitle: 'Aucune invitation en attente',
  emptyText:
    'Choisissez « Inviter une personne » pour en envoyer une. Les personnes qui ont accepté figurent dans la liste des utilisateurs.',
  email: 'E-mail',
  emailHelp: 'Toute invitation précédente à cette adresse sera remplacée.',
  firstName: 'Prénom',
  lastName: 'Nom',
  groups: 'Groupes',
  groupsHelp: 'Si aucun n’est choisi, la personne reçoit les groupes de tout nouvel utilisateur.',
  noGroups: 'Aucun',
  created: 'Envoi',
  by: (name) => `par ${name}`,
  expires: 'Valable jusqu’au',
  revoke: 'Révoquer',
  revokeOf: (email) => `Révoquer l’invitation envoyée à ${email}`,
  revokeTitle: 'Révoquer l’invitation ?',
  revokeText: (email) => `Le lien envoyé par e-mail à ${email} cessera de fonctionner.`,
  revoked: 'Invitation révoquée.',
};
