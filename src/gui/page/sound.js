// The sound of a stone: a short knock, made when it is needed.

let context = null;

export function knock() {
  context ||= new AudioContext();
  const now = context.currentTime;
  const length = 0.09;
  const buffer = context.createBuffer(1, Math.ceil(length * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) {
    const at = n / context.sampleRate;
    samples[n] = (Math.sin(2 * Math.PI * 950 * at) * 0.6 + (Math.random() - 0.5) * 0.5) * Math.exp(-at * 70);
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new GainNode(context, { gain: 0.5 })).connect(context.destination);
  source.start(now);
}
