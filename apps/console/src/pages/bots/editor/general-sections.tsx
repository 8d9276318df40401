import type { PrivateBot } from '@parlance/client/types';
import { Plus, X } from 'lucide-react';
import { formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { AppearanceField } from '../icon/appearance-field.tsx';
import type { SectionProps } from './form.ts';

const LONGEST_TITLE = 100;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_INSTRUCTION = 100_000;
const MOST_STARTERS = 20;

export function GeneralSection({ draft, change, errors, saved }: SectionProps & { readonly saved?: PrivateBot }) {
  const { editor } = useMessages().bots;
  return (
    <Section title={editor.general}>
      <TextField
        label={editor.title}
        value={draft.title}
        onChange={(title) => change({ title })}
        error={errors['title']}
        maxLength={LONGEST_TITLE}
        isRequired
        autoComplete="off"
      />
      <TextField
        label={editor.description}
        help={editor.descriptionHelp}
        value={draft.description}
        onChange={(description) => change({ description })}
        error={errors['description']}
        maxLength={LONGEST_DESCRIPTION}
        rows={2}
      />
      <AppearanceField bot={draft} onChange={change} saved={saved} error={errors['icon'] ?? errors['colour']} />
    </Section>
  );
}

export function InstructionSection({ draft, change, errors }: SectionProps) {
  const { editor } = useMessages().bots;
  return (
    <Section title={editor.instruction} description={editor.instructionText}>
      <TextField
        label={editor.instructionField}
        help={editor.characters(formatNumber(draft.instruction.length), formatNumber(LONGEST_INSTRUCTION))}
        value={draft.instruction}
        onChange={(instruction) => change({ instruction })}
        error={errors['instruction']}
        maxLength={LONGEST_INSTRUCTION}
        rows={10}
      />
    </Section>
  );
}

export function StartersSection({ draft: { starters }, change, errors }: SectionProps) {
  const { editor } = useMessages().bots;
  const set = (at: number, part: Partial<(typeof starters)[number]>) =>
    change({ starters: starters.map((starter, index) => (index === at ? { ...starter, ...part } : starter)) });
  return (
    <Section title={editor.starters} description={editor.startersText}>
      {starters.length === 0 && <p className="text-sm text-muted">{editor.noStarters}</p>}
      {starters.map(({ title, example }, index) => (
        <div key={index} role="group" aria-label={editor.starter(index + 1)} className="flex items-start gap-2 max-sm:flex-wrap">
          <TextField
            label={editor.starterTitle}
            value={title}
            onChange={(text) => set(index, { title: text })}
            error={errors[`conversation_quick_starters[${index}].title`]}
            className="w-1/3 max-sm:w-full"
          />
          <TextField
            label={editor.starterExample}
            value={example}
            onChange={(text) => set(index, { example: text })}
            error={errors[`conversation_quick_starters[${index}].example`]}
            className="min-w-0 grow"
          />
          <IconButton
            label={editor.removeStarter(index + 1)}
            className="mt-6 max-sm:mt-0"
            onPress={() => change({ starters: starters.filter((_, at) => at !== index) })}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
      <Button
        size="small"
        className="self-start"
        isDisabled={starters.length >= MOST_STARTERS}
        onPress={() => change({ starters: [...starters, { title: '', example: '' }] })}
      >
        <Plus aria-hidden className="size-4" />
        {editor.addStarter}
      </Button>
    </Section>
  );
}
