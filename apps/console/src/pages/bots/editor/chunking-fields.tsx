import { useMessages } from '../../../messages/index.ts';
import { NumberField, Select } from '../../../ui/fields/index.ts';
import type { KnowledgeDraft, Strategy } from './knowledge-draft.ts';

const STRATEGIES = ['fixed_size', 'hierarchical', 'semantic', 'none'] as const;
const CHUNKING = 'bedrock_knowledge_base.chunking_configuration';

interface ChunkingProps {
  readonly knowledge: KnowledgeDraft;
  readonly set: (part: Partial<KnowledgeDraft>) => void;
  readonly errors: Readonly<Record<string, string>>;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly path: string;
  readonly set: (value: number) => void;
}

export function ChunkingFields({ knowledge, set, errors }: ChunkingProps) {
  const { settings } = useMessages().bots;
  const { strategy, fixed, semantic, hierarchical } = knowledge;
  const fields: Record<Strategy, Field[]> = {
    none: [],
    fixed_size: [
      field('max_tokens', settings.chunkTokens, fixed, 'fixed_size', (part) => set({ fixed: { ...fixed, ...part } })),
      field('overlap_percentage', settings.overlapPercentage, fixed, 'fixed_size', (part) => set({ fixed: { ...fixed, ...part } })),
    ],
    hierarchical: [
      field(
        'parent',
        settings.parentTokens,
        hierarchical,
        'hierarchical',
        (part) => set({ hierarchical: { ...hierarchical, ...part } }),
        'level_configurations[0].max_tokens',
      ),
      field(
        'child',
        settings.childTokens,
        hierarchical,
        'hierarchical',
        (part) => set({ hierarchical: { ...hierarchical, ...part } }),
        'level_configurations[1].max_tokens',
      ),
      field('overlap_tokens', settings.overlapTokens, hierarchical, 'hierarchical', (part) =>
        set({ hierarchical: { ...hierarchical, ...part } }),
      ),
    ],
    semantic: [
      field('max_tokens', settings.chunkTokens, semantic, 'semantic', (part) => set({ semantic: { ...semantic, ...part } })),
      field('buffer_size', settings.bufferSize, semantic, 'semantic', (part) => set({ semantic: { ...semantic, ...part } })),
      field('breakpoint_percentile_threshold', settings.percentile, semantic, 'semantic', (part) =>
        set({ semantic: { ...semantic, ...part } }),
      ),
    ],
  };
  return (
    <div className="grid grid-cols-4 items-end gap-3 max-sm:grid-cols-1">
      <Select
        label={settings.strategy}
        value={strategy}
        onChange={(id) => set({ strategy: id })}
        options={STRATEGIES.map((id) => ({ id, name: settings.strategies[id] }))}
        error={errors[`${CHUNKING}.chunking_strategy`] ?? errors[CHUNKING]}
        className={fields[strategy].length === 3 ? 'col-span-4 max-w-md max-sm:col-span-1' : 'col-span-2 max-sm:col-span-1'}
      />
      {fields[strategy].map(({ name, label, value, path, set: change }) => (
        <NumberField key={`${strategy}.${name}`} label={label} value={value} minValue={0} onChange={change} error={errors[path]} />
      ))}
    </div>
  );
}

/** An empty number keeps its earlier value. */
function field<Part extends object>(
  name: Extract<keyof Part, string>,
  label: string,
  part: Part,
  strategy: string,
  set: (part: Partial<Part>) => void,
  path: string = name,
): Field {
  return {
    name,
    label,
    value: part[name] as number,
    path: `${CHUNKING}.${strategy}_chunking_configuration.${path}`,
    set: (value) => {
      if (!Number.isNaN(value)) set({ [name]: value } as Partial<Part>);
    },
  };
}
