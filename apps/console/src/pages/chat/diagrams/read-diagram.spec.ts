import fc from 'fast-check';
import { flowchartLayout } from './flowchart-layout.ts';
import type { Flowchart } from './flowchart.ts';
import { diagramOf } from './read-diagram.ts';
import { sequenceLayout } from './sequence-layout.ts';
import type { SequenceDiagram } from './sequence.ts';
import { roughly } from './text-size.ts';

const flowchart = (...lines: string[]) => diagramOf(['flowchart LR', ...lines].join('\n')) as Flowchart | null;
const sequence = (...lines: string[]) => diagramOf(['sequenceDiagram', ...lines].join('\n')) as SequenceDiagram | null;

describe('a flowchart', () => {
  it.each([
    ['A', 'rect', 'A'],
    ['A[Text]', 'rect', 'Text'],
    ['A("Text (more)")', 'round', 'Text (more)'],
    ['A([Text])', 'stadium', 'Text'],
    ['A[[Text]]', 'subroutine', 'Text'],
    ['A[(Text)]', 'cylinder', 'Text'],
    ['A((Text))', 'circle', 'Text'],
    ['A{Text?}', 'diamond', 'Text?'],
    ['A{{Text}}', 'hexagon', 'Text'],
    ['A[/Text/]', 'slanted', 'Text'],
    ['A["`Text`"]:::red', 'rect', 'Text'],
    ['A["#quot;Text#quot; &amp; more"]', 'rect', '"Text" & more'],
  ])('has the node %s', (line, shape, text) => {
    expect(flowchart(line)?.nodes).toEqual([{ id: 'A', shape, lines: [text], group: null }]);
  });

  it.each([
    ['A --> B', 'solid', 'none', 'arrow', []],
    ['A---B', 'solid', 'none', 'none', []],
    ['A -->|yes| B', 'solid', 'none', 'arrow', ['yes']],
    ['A -- yes --> B', 'solid', 'none', 'arrow', ['yes']],
    ['A -.-> B', 'dotted', 'none', 'arrow', []],
    ['A -. maybe .-> B', 'dotted', 'none', 'arrow', ['maybe']],
    ['A ==> B', 'thick', 'none', 'arrow', []],
    ['A == must ==> B', 'thick', 'none', 'arrow', ['must']],
    ['A <--> B', 'solid', 'arrow', 'arrow', []],
    ['A --x B', 'solid', 'none', 'cross', []],
    ['A --o B;', 'solid', 'none', 'circle', []],
    ['A ~~~ B', 'invisible', 'none', 'none', []],
  ])('has the line %s', (text, line, start, end, lines) => {
    expect(flowchart(text)?.edges).toEqual([{ from: 'A', to: 'B', line, start, end, lines }]);
  });

  it('has boxes of a minimum size for nodes without text', () => {
    const { nodes } = flowchartLayout(flowchart('A{" "} --> B((" "))')!, roughly)!;
    expect(nodes.map(({ width, height }) => [width, height])).toEqual([
      [64, 48],
      [40, 40],
    ]);
  });

  it('has chains and lines between several nodes', () => {
    const ends = flowchart('A & B --> C --> D')?.edges.map(({ from, to }) => from + to);
    expect(ends).toEqual(['AC', 'BC', 'CD']);
  });

  it('has nested groups, and ignores styles', () => {
    const chart = flowchart(
      'subgraph one [First]',
      'A --> B',
      'subgraph two',
      'direction TB',
      'C',
      'end',
      'end',
      'one --> D',
      'style A fill:red',
    );
    expect(chart?.groups).toEqual([
      { id: 'one', lines: ['First'], group: null, direction: null },
      { id: 'two', lines: ['two'], group: 'one', direction: 'TB' },
    ]);
    expect(chart?.nodes.map(({ id, group }) => [id, group])).toEqual([
      ['A', 'one'],
      ['B', 'one'],
      ['C', 'two'],
      ['D', null],
    ]);
  });

  it.each([
    ['more groups than are drawn', ...Array.from({ length: 41 }, (_, index) => [`subgraph g${index}`, `n${index}`, 'end']).flat()],
    ['more lines between nodes than are drawn', `${'a&'.repeat(99)}b --> ${'c&'.repeat(99)}d`],
    ['a long run of spaces in a line that is not understood', `A -- ${' '.repeat(490)}b`],
  ])('with %s stays code', (_, ...lines) => expect(flowchart(...lines)).toBeNull());
  it.each(['A -->', 'A[Text', 'subgraph one', 'A@{ shape: x } --> B', 'end', ''])('that has %j stays code', (line) => {
    expect(flowchart(line)).toBeNull();
  });
});

describe('a sequence diagram', () => {
  it('has participants, messages, notes and frames in their order', () => {
    const diagram = sequence(
      'autonumber',
      'participant A as Ann',
      'A->>+B: Ask',
      'alt known',
      'B-->>-A: Answer',
      'else',
      'B-xA: Refuse',
      'end',
      'Note over A,B: Done',
    );
    expect(diagram?.participants.map(({ lines }) => lines)).toEqual([['Ann'], ['B']]);
    expect(diagram?.steps).toEqual([
      { kind: 'message', from: 0, to: 1, lines: ['Ask'], isDashed: false, end: 'arrow', isTwoWay: false, number: 1 },
      { kind: 'begin', name: 'alt', lines: ['known'] },
      { kind: 'message', from: 1, to: 0, lines: ['Answer'], isDashed: true, end: 'arrow', isTwoWay: false, number: 2 },
      { kind: 'else', lines: [] },
      { kind: 'message', from: 1, to: 0, lines: ['Refuse'], isDashed: false, end: 'cross', isTwoWay: false, number: 3 },
      { kind: 'end' },
      { kind: 'note', place: 'over', from: 0, to: 1, lines: ['Done'] },
    ]);
  });
  it.each(['A says B', 'loop', 'end', 'box Grey'])('that has %j stays code', (line) => expect(sequence('A->>B: x', line)).toBeNull());
});

it.each(['gantt', 'pie\n"A": 1', '', `flowchart TD\nA[${'x'.repeat(9_000)}]`])('another text stays code: %.20s', (text) => {
  expect(diagramOf(text)).toBeNull();
});

const boxes = (layout: ReturnType<typeof flowchartLayout>) => layout?.nodes ?? [];

it.each([
  [
    'a group named as two numbers, beside a line that skips a layer',
    ['flowchart TB', 'subgraph 2 1', 'A --> B', 'B --> C', 'A --> C', 'end'],
  ],
  ['a group without boxes', ['flowchart LR', 'subgraph one', 'A --> B', 'end', 'subgraph two', 'B --> A', 'end']],
])('a flowchart with %s has a picture of finite size', (_, lines) => {
  const diagram = diagramOf(lines.join('\n'));
  const layout = diagram?.kind === 'flowchart' ? flowchartLayout(diagram, roughly) : null;
  expect([layout!.width > 0, layout!.height > 0, Number.isFinite(layout!.width * layout!.height)]).toEqual([true, true, true]);
});

it('a flowchart with a cycle starts with its first box, even if a group is part of the cycle', () => {
  const chart = diagramOf('flowchart TD\nA --> B\nsubgraph S\nB --> C\nend\nC --> A') as Flowchart;
  const heights = Object.fromEntries(boxes(flowchartLayout(chart, roughly)).map(({ node: { id }, y }) => [id, y]));
  expect(chart.nodes.map(({ group }) => group)).toEqual([null, 'S', 'S']);
  expect([heights['A']! < heights['B']!, heights['B']! < heights['C']!]).toEqual([true, true]);
});

const node = fc.constantFrom('A', 'B[b]', 'C{c}', 'D', 'E((e))', 'F', 'G');
const statement = fc.oneof(
  fc.tuple(node, fc.constantFrom('-->', '-- text -->', '-.->', '<-->'), node).map((parts) => parts.join(' ')),
  fc.constantFrom('subgraph S', 'subgraph T', 'end', 'direction TB', 'A & B --> C', 'S --> T', 'S --> A'),
);

it('each flowchart that is read is placed: all boxes are in the picture, and none is on another', () => {
  fc.assert(
    fc.property(fc.constantFrom('TB', 'BT', 'LR', 'RL'), fc.array(statement, { maxLength: 25 }), (direction, lines) => {
      const chart = diagramOf([`flowchart ${direction}`, ...lines].join('\n'));
      if (chart?.kind !== 'flowchart') return;
      const layout = flowchartLayout(chart, roughly)!;
      for (const [index, { x, y, width, height }] of boxes(layout).entries()) {
        expect(x - width / 2).toBeGreaterThanOrEqual(0);
        expect(y - height / 2).toBeGreaterThanOrEqual(0);
        expect(x + width / 2).toBeLessThanOrEqual(layout.width);
        expect(y + height / 2).toBeLessThanOrEqual(layout.height);
        for (const other of boxes(layout).slice(index + 1)) {
          const isApart = Math.abs(x - other.x) >= (width + other.width) / 2 || Math.abs(y - other.y) >= (height + other.height) / 2;
          expect(isApart).toBe(true);
        }
      }
      for (const { points } of layout.edges) for (const point of points) expect(Number.isFinite(point.x + point.y)).toBe(true);
    }),
  );
});

it('each sequence diagram that is read is placed within its picture', () => {
  const step = fc.constantFrom(
    'A->>B: Hello',
    'B-->>C: A longer text',
    'A->>A: Think',
    'Note left of A: Left',
    'loop x',
    'alt y',
    'else z',
    'end',
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (lines) => {
      const diagram = sequence(...lines);
      if (diagram === null) return;
      const { width, height, notes, frames, messages } = sequenceLayout(diagram, roughly);
      for (const box of [...notes, ...frames]) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }
      for (const { y } of messages) expect(y).toBeLessThanOrEqual(height);
    }),
  );
});
