"""Runs the jobs of Kagetsu on a Ray cluster.

What a job is, how it is cut into shards and what its results say is known to the program `kagetsu` alone. This package
starts shards where there is room, brings their results home, and asks the program after each of them how the job stands.

| module | question |
|---|---|
| `job` | What does the program say about a job? |
| `shard` | How is one shard done on a worker? |
| `results` | Where do finished shards lie? |
| `crew` | Who works? Ray, and nothing else knows Ray |
| `driver` | Which shard is next, which failed, and is it over? |
| `progress` | What do people and Prometheus see of it? |
| `loop` | How does one generation of networks follow the other? |
| `simulation` | How does the driver do with a thousand workers? |
"""
