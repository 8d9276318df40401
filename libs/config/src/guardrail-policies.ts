import {
  type Action,
  ACTIONS,
  DETECTOR_NAMES,
  type DetectorName,
  isPhoneRegion,
  LONGEST_ENTRY,
  type Policy,
  STAGES,
  type Stage,
  SURFACES,
  type Surface,
} from '@parlance/guardrails';
import type { Objection } from './embedding-model.ts';
import { Key } from './fields.ts';
import { ListOf, OneOf, Text } from './rules.ts';

const MOST_POLICIES = 50;
const MOST_ENTRIES = 10_000;

/** What is done with values of some kinds in texts of users or in answers of models. */
export class GuardrailPolicy implements Policy {
  @Key('Name of the policy, which users see when it blocks something.')
  @Text('1 to 60 letters, digits and . _ -', /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/)
  readonly id!: string;
  @Key('Where it applies: conversations of users, published bots, calls of programs to models (gateway).')
  @ListOf(`words among ${SURFACES.join(', ')}`, (item) => SURFACES.includes(item as Surface))
  readonly apply_to: readonly Surface[] = [...SURFACES];
  @Key('input: texts sent to models. output: answers of models.') @OneOf(...STAGES) readonly stage!: Stage;
  @Key(
    'block: the message is refused, or the answer ends. mask: a placeholder replaces the value; in answers, placeholders of inputs become values again. flag: the value is only counted.',
  )
  @OneOf(...ACTIONS)
  readonly action!: Action;
  @Key('What it finds.')
  @ListOf(`words among ${DETECTOR_NAMES.join(', ')}`, (item) => DETECTOR_NAMES.includes(item as DetectorName))
  readonly detectors!: readonly DetectorName[];
  @Key('Words and phrases that the detector `words` finds as whole words, in any case.')
  @ListOf(`texts of 1 to ${LONGEST_ENTRY} characters`, (item) => item.trim() !== '' && item.length <= LONGEST_ENTRY)
  readonly words: readonly string[] = [];
  @Key('Countries whose national phone numbers are found too. Numbers with a country code are always found.')
  @ListOf('country codes such as DE or US', isPhoneRegion)
  readonly phone_regions: readonly string[] = [];
}

/** An error for policies that contradict each other or themselves. */
export function policyObjection(policies: readonly GuardrailPolicy[]): Objection | null {
  if (policies.length > MOST_POLICIES)
    return { path: 'guardrails', value: undefined, allowed: `a list of at most ${MOST_POLICIES} policies` };
  const ids = policies.map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) return { path: `guardrails.${twice}.id`, value: ids[twice], allowed: 'a name that no other policy has' };
  for (const [index, { apply_to, detectors, words }] of policies.entries()) {
    const path = `guardrails.${index}`;
    if (detectors.length === 0) return { path: `${path}.detectors`, value: undefined, allowed: 'a list that is not empty' };
    if (apply_to.length === 0) return { path: `${path}.apply_to`, value: undefined, allowed: 'a list that is not empty' };
    if (words.length > MOST_ENTRIES) return { path: `${path}.words`, value: undefined, allowed: `at most ${MOST_ENTRIES} texts` };
    if (detectors.includes('words') !== words.length > 0)
      return { path: `${path}.words`, value: undefined, allowed: 'set with the detector words, and only then' };
  }
  return null;
}
