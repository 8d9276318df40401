import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: 'Guardrails',
  description:
    'Richtlinien für personenbezogene Daten, Geheimnisse und Wörter in Nachrichten und Antworten. Sie werden unter „guardrails“ in parlance.config.json konfiguriert und in dieser Reihenfolge angewendet.',
  policy: 'Richtlinie',
  surfaces: 'Gilt für',
  surface: { conversations: 'Unterhaltungen von Benutzern', published: 'Veröffentlichte Bots', gateway: 'Modellaufrufe von Programmen' },
  stage: 'Prüft',
  stages: { input: 'An Modelle gesendete Texte', output: 'Antworten' },
  detectors: 'Findet',
  detector: {
    email: 'E-Mail-Adressen',
    phone: 'Telefonnummern',
    iban: 'IBANs',
    payment_card: 'Zahlungskarten',
    national_id: 'Ausweisnummern',
    ip_address: 'IP-Adressen',
    secret: 'Passwörter und Schlüssel',
  },
  words: (count) => plural(count, { one: '{n} Wort oder Wortfolge', other: '{n} Wörter und Wortfolgen' }),
  regions: (regions) => `Nationale Telefonnummern: ${regions}`,
  action: 'Aktion',
  actions: { flag: 'Zählt', mask: 'Maskiert', block: 'Blockiert' },
  none: 'Es gibt keine Richtlinien',
  noneText: 'Es wird nichts geprüft. Fügen Sie in parlance.config.json unter „guardrails“ Richtlinien hinzu und starten Sie Parlance neu.',
};
