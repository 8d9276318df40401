import { plural } from '../../../plural.ts';

export const guardrails = {
  title: 'Guardrails',
  description:
    'Policies for personal data, secrets and words in messages and answers. They are configured under “guardrails” in parlance.config.json, and apply in this order.',
  policy: 'Policy',
  surfaces: 'Applies to',
  surface: { conversations: 'Conversations of users', published: 'Published bots', gateway: 'Calls of models by programs' } as Readonly<
    Record<string, string>
  >,
  stage: 'Checks',
  stages: { input: 'Texts sent to models', output: 'Answers' },
  detectors: 'Finds',
  detector: {
    email: 'E-mail addresses',
    phone: 'Phone numbers',
    iban: 'IBANs',
    payment_card: 'Payment cards',
    national_id: 'National IDs',
    ip_address: 'IP addresses',
    secret: 'Passwords and keys',
  } as Readonly<Record<string, string>>,
  words: (count: number) => plural(count, { one: '{n} word or phrase', other: '{n} words and phrases' }),
  regions: (regions: string) => `National phone numbers: ${regions}`,
  action: 'Action',
  actions: { flag: 'Counts', mask: 'Masks', block: 'Blocks' },
  none: 'There are no policies',
  noneText: 'Nothing is checked. Add policies to “guardrails” in parlance.config.json, and restart Parlance.',
};
