import { type Program, snippetsOf } from './snippets.ts';

const ORIGIN = 'https://chat.example.org';
const [OPENAI, ANTHROPIC] = [['chat/completions'], ['messages', 'messages/count_tokens']];

describe('the programs for a model', () => {
  const programsOf = (endpoints: string[]) => snippetsOf(ORIGIN, { id: 'm', endpoints }).map(({ program }) => program);
  const code = (endpoints: string[], program: Program, id = 'm') =>
    snippetsOf(ORIGIN, { id, endpoints }).find((each) => each.program === program)!.code;

  it('use the APIs that it has', () => {
    expect(programsOf(OPENAI)).toEqual(['curl', 'openai-python', 'openai-node', 'langchain', 'agents']);
    expect(programsOf(ANTHROPIC)).toEqual(['curl', 'anthropic-python', 'anthropic-typescript', 'langchain', 'claude-code']);
    expect(programsOf([...OPENAI, ...ANTHROPIC])).toHaveLength(8);
    expect(programsOf(['embeddings'])).toEqual(['curl', 'openai-python', 'openai-node', 'langchain']);
    expect(programsOf([])).toEqual([]);
  });

  it('have the address with /v1 for OpenAI, and without it for Anthropic', () => {
    expect(code(OPENAI, 'openai-python')).toContain('base_url="https://chat.example.org/v1"');
    expect(code(OPENAI, 'agents')).toContain("OPENAI_BASE_URL='https://chat.example.org/v1'");
    expect(code(ANTHROPIC, 'anthropic-python')).toContain('base_url="https://chat.example.org",');
    expect(code(ANTHROPIC, 'claude-code')).toContain("ANTHROPIC_BASE_URL='https://chat.example.org'\n");
  });

  it('read the token from the environment', () => {
    for (const endpoints of [[...OPENAI, ...ANTHROPIC], ['embeddings']])
      for (const { code: its } of snippetsOf(ORIGIN, { id: 'm', endpoints })) expect(its).toContain('PARLANCE_TOKEN');
  });

  it('quote the ID of the model', () => {
    const id = `it's "so"`;
    expect(code(OPENAI, 'openai-node', id)).toContain(String.raw`model: "it's \"so\""`);
    expect(code(OPENAI, 'curl', id)).toContain(String.raw`{"model":"it'\''s \"so\""`);
    expect(code(ANTHROPIC, 'claude-code', id)).toContain(String.raw`ANTHROPIC_MODEL='it'\''s "so"'`);
  });
});
