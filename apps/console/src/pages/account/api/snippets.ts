import type { PricedModel } from '@parlance/client/types';

export const PROGRAMS = [
  'curl',
  'openai-python',
  'openai-node',
  'anthropic-python',
  'anthropic-typescript',
  'langchain',
  'claude-code',
  'agents',
] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Snippet {
  readonly program: Program;
  readonly code: string;
}

/** The environment variable with the token. So no program contains it. */
export const TOKEN_VARIABLE = 'PARLANCE_TOKEN';

/** JSON texts are also texts of JavaScript and Python. */
const text = (value: string): string => JSON.stringify(value);
const shell = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** Programs that call a model at this address. Only those are returned whose API the model has. */
export function snippetsOf(origin: string, { id, endpoints }: Pick<PricedModel, 'id' | 'endpoints'>): readonly Snippet[] {
  const has = (endpoint: string): boolean => endpoints.includes(endpoint);
  if (has('embeddings')) return embedding(origin, id);
  return [
    ...(has('chat/completions') ? openAi(origin, id) : []),
    // A model with both APIs needs no second request with curl and LangChain.
    ...(has('messages') ? anthropic(origin, id).filter(({ program }) => !has('chat/completions') || !SHARED.has(program)) : []),
  ].toSorted((one, other) => PROGRAMS.indexOf(one.program) - PROGRAMS.indexOf(other.program));
}

const SHARED: ReadonlySet<Program> = new Set(['curl', 'langchain']);

const post = (address: string, body: object): string => `curl -s ${shell(address)} \\
  -H "authorization: Bearer $${TOKEN_VARIABLE}" \\
  -H 'content-type: application/json' \\
  -d ${shell(JSON.stringify(body))}`;

const hello = [{ role: 'user', content: 'Hello?' }];

const openAi = (origin: string, id: string): readonly Snippet[] => [
  { program: 'curl', code: post(`${origin}/v1/chat/completions`, { model: id, messages: hello }) },
  {
    program: 'openai-python',
    code: `# pip install openai
import os

from openai import OpenAI

client = OpenAI(base_url=${text(`${origin}/v1`)}, api_key=os.environ["${TOKEN_VARIABLE}"])
completion = client.chat.completions.create(
    model=${text(id)},
    messages=[{"role": "user", "content": "Hello?"}],
)
print(completion.choices[0].message.content)`,
  },
  {
    program: 'openai-node',
    code: `// npm install openai; the name of the file ends in .mjs
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${text(`${origin}/v1`)}, apiKey: process.env.${TOKEN_VARIABLE} });
const completion = await client.chat.completions.create({
  model: ${text(id)},
  messages: [{ role: 'user', content: 'Hello?' }],
});
console.log(completion.choices[0].message.content);`,
  },
  {
    program: 'langchain',
    code: `# pip install langchain-openai
import os

from langchain_openai import ChatOpenAI

model = ChatOpenAI(model=${text(id)}, base_url=${text(`${origin}/v1`)}, api_key=os.environ["${TOKEN_VARIABLE}"])
print(model.invoke("Hello?").content)`,
  },
  {
    program: 'agents',
    code: `# For programs that read these variables. Choose the model ${id} in their settings.
export OPENAI_BASE_URL=${shell(`${origin}/v1`)}
export OPENAI_API_BASE=${shell(`${origin}/v1`)}
export OPENAI_API_KEY="$${TOKEN_VARIABLE}"`,
  },
];

const anthropic = (origin: string, id: string): readonly Snippet[] => [
  { program: 'curl', code: post(`${origin}/v1/messages`, { model: id, max_tokens: 1_024, messages: hello }) },
  {
    program: 'anthropic-python',
    code: `# pip install anthropic
import os

from anthropic import Anthropic

client = Anthropic(base_url=${text(origin)}, api_key=os.environ["${TOKEN_VARIABLE}"])
message = client.messages.create(
    model=${text(id)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello?"}],
)
print("".join(block.text for block in message.content if block.type == "text"))`,
  },
  {
    program: 'anthropic-typescript',
    code: `// npm install @anthropic-ai/sdk; the name of the file ends in .mts
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: ${text(origin)}, apiKey: process.env['${TOKEN_VARIABLE}'] });
const message = await client.messages.create({
  model: ${text(id)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello?' }],
});
for (const block of message.content) if (block.type === 'text') console.log(block.text);`,
  },
  {
    program: 'langchain',
    code: `# pip install langchain-anthropic
import os

from langchain_anthropic import ChatAnthropic

model = ChatAnthropic(model=${text(id)}, base_url=${text(origin)}, api_key=os.environ["${TOKEN_VARIABLE}"], max_tokens=1024)
print(model.invoke("Hello?").content)`,
  },
  {
    program: 'claude-code',
    code: `unset ANTHROPIC_API_KEY
export ANTHROPIC_BASE_URL=${shell(origin)}
export ANTHROPIC_AUTH_TOKEN="$${TOKEN_VARIABLE}"
export ANTHROPIC_MODEL=${shell(id)}
# The model for small tasks. Choose a cheaper one here, if there is one.
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${shell(id)}
claude`,
  },
];

const embedding = (origin: string, id: string): readonly Snippet[] => [
  { program: 'curl', code: post(`${origin}/v1/embeddings`, { model: id, input: 'Hello?' }) },
  {
    program: 'openai-python',
    code: `# pip install openai
import os

from openai import OpenAI

client = OpenAI(base_url=${text(`${origin}/v1`)}, api_key=os.environ["${TOKEN_VARIABLE}"])
print(client.embeddings.create(model=${text(id)}, input="Hello?").data[0].embedding)`,
  },
  {
    program: 'openai-node',
    code: `// npm install openai; the name of the file ends in .mjs
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${text(`${origin}/v1`)}, apiKey: process.env.${TOKEN_VARIABLE} });
const { data } = await client.embeddings.create({ model: ${text(id)}, input: 'Hello?' });
console.log(data[0].embedding);`,
  },
  {
    program: 'langchain',
    code: `# pip install langchain-openai
import os

from langchain_openai import OpenAIEmbeddings

embeddings = OpenAIEmbeddings(
    model=${text(id)},
    base_url=${text(`${origin}/v1`)},
    api_key=os.environ["${TOKEN_VARIABLE}"],
    # Sends texts. Otherwise it sends tokens of a model of OpenAI.
    check_embedding_ctx_length=False,
)
print(embeddings.embed_query("Hello?"))`,
  },
];
