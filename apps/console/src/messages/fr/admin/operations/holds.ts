import type { holds as English } from '../../../en/admin/operations/holds.ts';

export const holds: typeof English = {
  title: 'Gels juridiques',
  description:
    'Un gel protège un utilisateur ou un bot, avec ses conversations, contre la suppression jusqu’à la levée du gel. La consultation de cette page est inscrite au journal d’audit.',
  create: 'Poser un gel',
  createTitle: 'Poser un gel juridique',
  place: 'Poser le gel',
  emptyTitle: 'Il n’y a aucun gel juridique',
  emptyText: 'Posez-en un avec « Poser un gel » quand quelque chose ne doit pas être supprimé, par exemple pendant un litige.',
  kind: 'Protéger',
  kinds: { user: 'Un utilisateur et toutes ses conversations', bot: 'Un bot et toutes ses conversations' },
  subject: 'Protégé',
  ofUser: 'Utilisateur',
  ofBot: 'Bot',
  userHelp: 'Saisissez le début d’un nom ou d’une adresse e-mail.',
  botHelp: 'Saisissez des mots de son titre. Pour un bot privé, saisissez son ID.',
  missing: 'Choisissez un élément de la liste, ou saisissez un ID.',
  reason: 'Motif',
  reasonHelp: 'Réservé aux administrateurs, par exemple un numéro de dossier. Il est supprimé à la levée du gel.',
  reasonMissing: 'Saisissez un motif.',
  placed: 'Posé le',
  by: (name) => `par ${name}`,
  placedNow: 'Gel posé.',
  end: 'Lever',
  endOf: (name) => `Lever le gel : ${name}`,
  endTitle: 'Lever le gel ?',
  endText: (name) =>
    `${name} et ses conversations pourront de nouveau être supprimés, par les utilisateurs comme par les règles de conservation. Le motif sera supprimé. Vous pourrez poser un autre gel plus tard.`,
  ended: 'Gel levé.',
};
