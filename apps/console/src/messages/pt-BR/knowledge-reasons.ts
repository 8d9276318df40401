import { formatNumber } from '../format.ts';
import type { KnowledgeReasonTexts } from '../knowledge-reason-texts.ts';
import { plural } from '../plural.ts';

/** Why runs that read knowledge fail. */
export const knowledgeReasons: KnowledgeReasonTexts = {
  sourcesFailed: (failed, total) =>
    total === 1
      ? 'Não foi possível ler a única fonte.'
      : `Fontes que não puderam ser lidas: ${formatNumber(failed)} de ${formatNumber(total)}.`,
  causes: {
    sources_empty: 'Nenhuma fonte contém texto.',
    deadline_passed: 'As fontes não foram lidas a tempo. Salve o bot novamente ou use menos fontes.',
    storage_unavailable:
      'O armazenamento de objetos desta instalação não responde. Por isso, não é possível ler arquivos nem gravar índices.',
    reader_not_started: 'Os arquivos não foram lidos porque esta instalação não consegue iniciar o programa que lê arquivos.',
    model_unavailable: 'Um modelo necessário para a leitura não responde.',
    model_refused: 'Um modelo necessário para a leitura recusa as solicitações desta instalação.',
    fault: 'Uma falha desta instalação interrompeu a leitura.',
  },
  unchanged: 'O conhecimento do bot não mudou.',
  others: (count) => plural(count, { one: 'Há mais {n} fonte.', other: 'Há mais {n} fontes.' }),
  correct: 'Corrija ou remova estas fontes e leia as fontes novamente.',
  retry: 'A leitura será tentada novamente de forma automática.',
  askAdministrator: (runId) =>
    `Salve o bot novamente mais tarde. Se isso não ajudar, fale com um administrador, que encontra a causa no log com o ID ${runId}.`,
  problems: {
    access_denied: 'O acesso foi recusado. Torne a fonte pública ou envie o conteúdo dela como arquivo.',
    address_forbidden: 'Esta instalação não pode ler este endereço. Use outro ou fale com um administrador.',
    address_invalid: 'Este endereço não é válido. Corrija-o.',
    answer_invalid: 'O servidor enviou uma resposta que não pode ser usada. Verifique o endereço em um navegador.',
    bucket_forbidden: 'Esta instalação não pode ler este bucket. Peça a um administrador que o permita.',
    budget_exceeded: 'Um orçamento está esgotado, por isso o modelo não lê mais páginas.',
    busy: 'O servidor está ocupado. Leia as fontes novamente mais tarde.',
    chunking_invalid: 'A divisão em partes não serve para este arquivo. Altere-a na página Editar.',
    crashed: 'O programa que lê arquivos foi encerrado durante a leitura deste. Salve-o novamente no aplicativo dele e envie-o de novo.',
    damaged: 'O arquivo está danificado. Abra-o no aplicativo dele, salve-o novamente e envie-o de novo.',
    encrypted: 'O arquivo está protegido. Salve-o sem senha nem proteção e envie-o de novo.',
    excluded: 'Os padrões do bot excluem a página. Altere os padrões ou remova a página.',
    memory_exceeded: 'A leitura deste arquivo exige memória demais. Divida-o em vários arquivos.',
    no_text: 'Nenhum texto foi encontrado. Use um arquivo ou uma página com texto.',
    noindex: 'A página pede aos robôs que não a usem. Remova-a ou envie o conteúdo dela como arquivo.',
    not_found: 'Este endereço não existe. Corrija-o ou remova-o.',
    not_uploaded: 'O arquivo não foi enviado. Envie-o e leia as fontes novamente.',
    page_not_read: 'O modelo não leu uma página. Tente mais tarde ou escolha outro modelo.',
    pattern_invalid: 'Os padrões do bot são muitos, longos demais ou vazios. Reduza a lista.',
    redirect_refused: 'O endereço redireciona para outro site. Use o endereço desse site.',
    robots_disallowed: 'O robots.txt do site não permite a leitura. Fale com o proprietário do site ou remova o endereço.',
    robots_unreachable:
      'Não foi possível ler o robots.txt do site, por isso as regras dele são desconhecidas. Leia as fontes novamente mais tarde.',
    sitemap_invalid: 'Não é um sitemap válido. Use um sitemap XML ou um texto com um endereço por linha.',
    timeout: 'A leitura demorou demais. Tente mais tarde ou divida o conteúdo.',
    too_deep: 'O conteúdo tem níveis aninhados demais. Salve-o em uma forma mais simples, como PDF ou TXT.',
    too_large: 'O conteúdo é grande demais. Divida-o em vários arquivos.',
    too_many_items: 'Há páginas, arquivos ou objetos demais. Restrinja a fonte.',
    type_unknown: 'Este tipo de conteúdo não pode ser lido. Use outro formato.',
    unreachable: 'Não é possível acessar o servidor. Verifique o endereço ou leia as fontes novamente mais tarde.',
    unsafe: 'O arquivo parece um ataque. Salve-o novamente no aplicativo dele e envie-o de novo.',
  },
};
