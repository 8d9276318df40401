import { useMessages } from '../../../messages/index.ts';
import { NumberField, Switch, TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import type { Draft } from './draft.ts';
import type { SectionProps } from './form.ts';

const GUARDRAILS = 'bedrock_guardrails';
const LONGEST_TEXT = 2_000;

export function GuardrailsSection({ draft: { guardrail, blockedText }, change, errors }: SectionProps) {
  const { settings } = useMessages().bots;
  const set = (part: Partial<Draft['guardrail']>) => change({ guardrail: { ...guardrail, ...part } });
  const number = (name: 'grounding_threshold' | 'relevance_threshold') => (value: number) => Number.isNaN(value) || set({ [name]: value });
  return (
    <Section title={settings.guardrails} description={settings.guardrailsText}>
      <Switch isSelected={guardrail.is_guardrail_enabled} onChange={(is_guardrail_enabled) => set({ is_guardrail_enabled })}>
        {settings.useGuardrail}
      </Switch>
      {guardrail.is_guardrail_enabled && (
        <>
          <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
            <NumberField
              label={settings.grounding}
              value={guardrail.grounding_threshold}
              minValue={0}
              maxValue={1}
              step={0.001}
              onChange={number('grounding_threshold')}
              error={errors[`${GUARDRAILS}.grounding_threshold`]}
            />
            <NumberField
              label={settings.relevance}
              value={guardrail.relevance_threshold}
              minValue={0}
              maxValue={1}
              step={0.001}
              onChange={number('relevance_threshold')}
              error={errors[`${GUARDRAILS}.relevance_threshold`]}
            />
            <TextField
              label={settings.guardrailArn}
              help={settings.guardrailArnHelp}
              value={guardrail.guardrail_arn}
              onChange={(guardrail_arn) => set({ guardrail_arn })}
              error={errors[`${GUARDRAILS}.guardrail_arn`]}
              autoComplete="off"
            />
            <TextField
              label={settings.guardrailVersion}
              value={guardrail.guardrail_version}
              onChange={(guardrail_version) => set({ guardrail_version })}
              error={errors[`${GUARDRAILS}.guardrail_version`]}
              autoComplete="off"
            />
          </div>
          <TextField
            label={settings.blockedText}
            help={settings.blockedTextHelp}
            value={blockedText}
            onChange={(text) => change({ blockedText: text })}
            error={errors['guardrail_blocked_text']}
            maxLength={LONGEST_TEXT}
            rows={2}
          />
        </>
      )}
    </Section>
  );
}
