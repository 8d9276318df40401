import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: 'Garde-fous',
  description:
    'Règles sur les données personnelles, les secrets et les mots dans les messages et les réponses. Elles sont configurées sous « guardrails » dans parlance.config.json et s’appliquent dans cet ordre.',
  policy: 'Règle',
  surfaces: 'S’applique à',
  surface: {
    conversations: 'Conversations des utilisateurs',
    published: 'Bots publiés',
    gateway: 'Appels de modèles par des programmes',
  },
  stage: 'Contrôle',
  stages: { input: 'Textes envoyés aux modèles', output: 'Réponses' },
  detectors: 'Détecte',
  detector: {
    email: 'Adresses e-mail',
    phone: 'Numéros de téléphone',
    iban: 'IBAN',
    payment_card: 'Cartes de paiement',
    national_id: 'Numéros d’identité nationaux',
    ip_address: 'Adresses IP',
    secret: 'Mots de passe et clés',
  },
  words: (count) => plural(count, { one: '{n} mot ou expression', other: '{n} mots et expressions' }),
  regions: (regions) => `Numéros de téléphone nationaux : ${regions}`,
  action: 'Action',
  actions: { flag: 'Comptage', mask: 'Masquage', block: 'Blocage' },
  none: 'Il n’y a aucune règle',
  noneText: 'Rien n’est contrôlé. Ajoutez des règles sous « guardrails » dans parlance.config.json, puis redémarrez Parlance.',
};
