"""Calls models of an installation with the clients of other projects. Each check prints one line of JSON: its name, and what failed."""
import json
import os
import sys
import traceback

ROOT = os.environ["PARLANCE_URL"]
BASE = f"{ROOT}/v1"
KEY = os.environ["PARLANCE_TOKEN"]
CHAT = "gpt"
QUESTION = "Is it warm in Bern?"
ASKED = [{"role": "user", "content": QUESTION}]
ANSWER = "It is warm in Bern."
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
# Some of the clients print.
lines, sys.stdout = sys.stdout, sys.stderr
checks = []


def check(function):
    checks.append(function)
    return function


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


# --- openai ---------------------------------------------------------------------------------------------------------------------------------


def openai_client():
    from openai import OpenAI

    return OpenAI(base_url=BASE, api_key=KEY, max_retries=0)


OPENAI_TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Today", "parameters": SCHEMA}}]


@check
def openai_models():
    assert CHAT in [model.id for model in openai_client().models.list()]


@check
def openai_chat():
    answer = openai_client().chat.completions.create(model=CHAT, messages=ASKED)
    same(answer.choices[0].message.content, ANSWER)
    same(answer.usage.total_tokens, 12)


@check
def openai_stream():
    stream = openai_client().chat.completions.create(
        model=CHAT, messages=ASKED, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    same("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), ANSWER)
    same(chunks[-1].usage.total_tokens, 12)


@check
def openai_tools():
    client = openai_client()
    message = client.chat.completions.create(model=CHAT, messages=ASKED, tools=OPENAI_TOOLS).choices[0].message
    [call] = message.tool_calls
    same((call.function.name, json.loads(call.function.arguments)), ("weather", {"city": "Bern"}))
    result = {"role": "tool", "tool_call_id": call.id, "content": "warm"}
    again = client.chat.completions.create(model=CHAT, messages=[*ASKED, message, result], tools=OPENAI_TOOLS)
    same(again.choices[0].message.content, ANSWER)


@check
def openai_json_schema():
    from pydantic import BaseModel

    class Place(BaseModel):
        city: str

    parsed = openai_client().chat.completions.parse(model=CHAT, messages=ASKED, response_format=Place)
    same(parsed.choices[0].message.parsed, Place(city="Bern"))


@check
def openai_responses():
    client = openai_client()
    same(client.responses.create(model=CHAT, input=QUESTION).output_text, ANSWER)
    with client.responses.stream(model=CHAT, input=QUESTION) as stream:
        same("".join(event.delta for event in stream if event.type == "response.output_text.delta"), ANSWER)
        same(stream.get_final_response().usage.total_tokens, 12)


@check
def openai_embeddings():
    found = openai_client().embeddings.create(model="vectors", input=["one", "two"])
    same([len(each.embedding) for each in found.data], [3, 3])


@check
def openai_images():
    found = openai_client().images.generate(model="painter", prompt="A cat.")
    same(found.data[0].b64_json, "aW1hZ2U=")


@check
def openai_audio():
    client = openai_client()
    same(client.audio.speech.create(model="voice", voice="alloy", input="Hello").read(), b"sound")
    same(client.audio.transcriptions.create(model="ear", file=("a.mp3", b"sound")).text, ANSWER)


@check
def openai_errors():
    import openai

    for model, key, kind in [("no-such-model", KEY, openai.NotFoundError), (CHAT, "pat_none", openai.AuthenticationError)]:
        try:
            openai.OpenAI(base_url=BASE, api_key=key, max_retries=0).chat.completions.create(model=model, messages=ASKED)
        except kind as error:
            assert error.request_id and error.code, error
        else:
            raise AssertionError(f"{model} was answered")


# --- anthropic ------------------------------------------------------------------------------------------------------------------------------


def anthropic_client():
    from anthropic import Anthropic

    return Anthropic(base_url=ROOT, api_key=KEY, max_retries=0)


ANTHROPIC_TOOLS = [{"name": "weather", "description": "Today", "input_schema": SCHEMA}]


@check
def anthropic_messages():
    answer = anthropic_client().messages.create(model=CHAT, max_tokens=100, messages=ASKED)
    same((answer.content[0].text, answer.stop_reason), (ANSWER, "end_turn"))
    same((answer.usage.input_tokens, answer.usage.output_tokens), (7, 5))


@check
def anthropic_stream():
    with anthropic_client().messages.stream(model=CHAT, max_tokens=100, messages=ASKED) as stream:
        same("".join(stream.text_stream), ANSWER)
        same(stream.get_final_message().usage.output_tokens, 5)


@check
def anthropic_tools():
    client = anthropic_client()
    answer = client.messages.create(model=CHAT, max_tokens=100, messages=ASKED, tools=ANTHROPIC_TOOLS)
    [use] = [block for block in answer.content if block.type == "tool_use"]
    same((answer.stop_reason, use.name, use.input), ("tool_use", "weather", {"city": "Bern"}))
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "warm"}]}
    turns = [*ASKED, {"role": "assistant", "content": answer.content}, result]
    again = client.messages.create(model=CHAT, max_tokens=100, messages=turns, tools=ANTHROPIC_TOOLS)
    same(again.content[0].text, ANSWER)


@check
def anthropic_count_tokens():
    assert anthropic_client().messages.count_tokens(model=CHAT, messages=ASKED).input_tokens > 0


@check
def anthropic_errors():
    import anthropic

    try:
        anthropic_client().messages.create(model="no-such-model", max_tokens=100, messages=ASKED)
    except anthropic.NotFoundError as error:
        same(error.body["error"]["type"], "not_found_error")
    else:
        raise AssertionError("it was answered")


# --- frameworks -----------------------------------------------------------------------------------------------------------------------------


@check
def langchain_openai():
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings

    model = ChatOpenAI(model=CHAT, base_url=BASE, api_key=KEY, max_retries=0)
    same(model.invoke(QUESTION).content, ANSWER)
    same("".join(chunk.content for chunk in model.stream(QUESTION)), ANSWER)
    [call] = model.bind_tools(OPENAI_TOOLS).invoke(QUESTION).tool_calls
    same((call["name"], call["args"]), ("weather", {"city": "Bern"}))
    same(model.with_structured_output({"title": "Place", **SCHEMA}).invoke(QUESTION), {"city": "Bern"})
    vectors = OpenAIEmbeddings(model="vectors", base_url=BASE, api_key=KEY, check_embedding_ctx_length=False)
    same(len(vectors.embed_query("one")), 3)


@check
def langchain_anthropic():
    from langchain_anthropic import ChatAnthropic

    model = ChatAnthropic(model=CHAT, base_url=ROOT, api_key=KEY, max_retries=0, max_tokens=100)
    same(model.invoke(QUESTION).content, ANSWER)
    [call] = model.bind_tools(ANTHROPIC_TOOLS).invoke(QUESTION).tool_calls
    same((call["name"], call["args"]), ("weather", {"city": "Bern"}))


@check
def llama_index():
    from llama_index.core.llms import ChatMessage
    from llama_index.llms.openai_like import OpenAILike

    model = OpenAILike(model=CHAT, api_base=BASE, api_key=KEY, is_chat_model=True, max_retries=0)
    message = ChatMessage(role="user", content=QUESTION)
    same(model.chat([message]).message.content, ANSWER)
    same("".join(part.delta or "" for part in model.stream_chat([message])), ANSWER)


@check
def pydantic_ai():
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    agent = Agent(OpenAIChatModel(CHAT, provider=OpenAIProvider(base_url=BASE, api_key=KEY)))
    asked = []

    @agent.tool_plain
    def weather(city: str) -> str:
        """Today."""
        asked.append(city)
        return "warm"

    same((agent.run_sync(QUESTION).output, asked), (ANSWER, ["Bern"]))


@check
def instructor():
    import instructor as library
    from pydantic import BaseModel

    class Place(BaseModel):
        city: str

    client = library.from_openai(openai_client(), mode=library.Mode.JSON_SCHEMA)
    found = client.chat.completions.create(model=CHAT, messages=ASKED, response_model=Place, max_retries=0)
    same(found.city, "Bern")


@check
def litellm():
    import litellm as library

    for model, base in [(f"openai/{CHAT}", BASE), (f"anthropic/{CHAT}", ROOT)]:
        places = {"model": model, "api_base": base, "api_key": KEY, "messages": ASKED, "num_retries": 0}
        same(library.completion(**places).choices[0].message.content, ANSWER)
        stream = library.completion(**places, stream=True)
        same("".join(chunk.choices[0].delta.content or "" for chunk in stream), ANSWER)


for function in checks:
    try:
        function()
        problem = None
    except Exception as error:
        problem = "".join(traceback.format_exception(error, limit=-3))[-2_000:]
    print(json.dumps({"name": function.__name__, "problem": problem}), file=lines, flush=True)
# Clients that have threads of their own would keep the process.
os._exit(0)
