import type { PricedModel } from '@parlance/client/types';
import { useState } from 'react';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { type Program, snippetsOf, TOKEN_VARIABLE } from './snippets.ts';

interface Props {
  readonly models: readonly PricedModel[];
  /** The ID of the chosen model. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Programs that call the chosen model at the address of this page. */
export function SnippetsSection({ models, chosen, onChoose }: Props) {
  const { api: texts } = useAccountMessages();
  const [program, setProgram] = useState<Program>('curl');
  const model = models.find(({ id }) => id === chosen) ?? models[0]!;
  const snippets = snippetsOf(location.origin, model);
  const shown = snippets.find((each) => each.program === program) ?? snippets[0];
  return (
    <Section title={texts.examples} description={texts.examplesText}>
      <div className="flex flex-wrap gap-3">
        <Select
          label={texts.model}
          className="w-72 max-sm:w-full"
          value={model.id}
          onChange={onChoose}
          options={models.map(({ id, name }) => ({ id, name }))}
        />
        {shown && (
          <Select<Program>
            label={texts.program}
            className="w-72 max-sm:w-full"
            value={shown.program}
            onChange={setProgram}
            options={snippets.map(({ program: id }) => ({ id, name: texts.programs[id] }))}
          />
        )}
      </div>
      <CodeBlock label={texts.setToken} code={`export ${TOKEN_VARIABLE}='pat_…'`} />
      {shown && <CodeBlock label={texts.programs[shown.program]} code={shown.code} />}
    </Section>
  );
}
