import { useMessages } from '../../../messages/index.ts';
import { reasonText } from '../../../messages/reason-texts.ts';
import { useConfig } from '../../../session/use-me.ts';
import { Checkbox, Select } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import type { SectionProps } from './form.ts';

const APPROVALS = ['never', 'writes', 'always'] as const;

export function ToolsSection({ draft: { tools }, change, errors }: SectionProps) {
  const { settings } = useMessages().bots;
  const config = useConfig();
  const configured = config.data?.tools ?? [];
  const names = new Set(configured.map(({ name }) => name));
  const all = [
    ...configured.map(({ name, description }) => ({ name, description: reasonText(name, description) })),
    ...tools.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, description: settings.unknownTool })),
  ];
  const error = errors['tools'] ?? tools.map((_, index) => errors[`tools[${index}].name`]).find((text) => text !== undefined);
  return (
    <Section title={settings.tools} description={settings.toolsText}>
      {config.error !== null && <ErrorNote error={config.error} />}
      {config.data !== undefined && all.length === 0 && <p className="text-sm text-muted">{settings.noTools}</p>}
      {all.length > 0 && (
        <ul className="flex flex-col rounded-sm border border-line">
          {all.map(({ name, description }) => {
            const chosen = tools.find((tool) => tool.name === name);
            return (
              <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 last:border-0">
                <div className="min-w-0 grow basis-64">
                  <Checkbox
                    isSelected={chosen !== undefined}
                    aria-label={settings.useTool(name)}
                    onChange={(isUsed) =>
                      change({ tools: isUsed ? [...tools, { name, approval: 'writes' }] : tools.filter((tool) => tool.name !== name) })
                    }
                  >
                    <span className="font-mono text-xs">{name}</span>
                  </Checkbox>
                  <p className="ps-7 text-xs text-muted">{description}</p>
                </div>
                {chosen && (
                  <Select
                    label={settings.approval(name)}
                    isLabelHidden
                    className="w-56"
                    value={chosen.approval}
                    options={APPROVALS.map((id) => ({ id, name: settings.approvals[id] }))}
                    onChange={(approval) => change({ tools: tools.map((tool) => (tool.name === name ? { ...tool, approval } : tool)) })}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
    </Section>
  );
}
