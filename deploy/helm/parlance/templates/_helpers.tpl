{{- define "parlance.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods of a release; with a component, those of one service. Takes (root, component). */}}
{{- define "parlance.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "parlance.labels" -}}
{{ include "parlance.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: parlance
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "parlance.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A service's settings over the defaults, as YAML. Takes (root, service). */}}
{{- define "parlance.settings" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (default dict .service) | toYaml -}}
{{- end -}}

{{- define "parlance.publicBaseUrl" -}}
{{- if .Values.publicBaseUrl -}}
{{ .Values.publicBaseUrl }}
{{- else if .Values.ingress.enabled -}}
{{ ternary "https" "http" (ne .Values.ingress.tlsSecret "") }}://{{ .Values.ingress.host }}
{{- else -}}
http://{{ include "parlance.fullname" . }}-edge:8080
{{- end -}}
{{- end -}}

{{/* A configuration key's value as its environment variable has it: lists by comma, text as it is, the rest as JSON. */}}
{{- define "parlance.environmentValue" -}}
{{- if kindIs "slice" . -}}{{ join "," . }}{{- else if kindIs "string" . -}}{{ . }}{{- else -}}{{ toJson . }}{{- end -}}
{{- end -}}

{{- define "parlance.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "parlance.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* One rule of egress to a peer that may be left open. Takes (to, ports, protocols). */}}
{{- define "parlance.egressTo" -}}
- ports:
    {{- range $port := .ports }}
    {{- range $protocol := $.protocols }}
    - { port: {{ $port }}, protocol: {{ $protocol }} }
    {{- end }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
